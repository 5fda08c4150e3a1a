/**
 * An export of Disqus: `count` comments on a page, each a reply to the one before, by `authors` authors in turn. Their
 * ids begin with `first`.
 */
export function disqusExport(
  count: number,
  { page = 'a.example/page', authors = 1, text = 'Words', first = 1 } = {},
): string {
  const post = (
    _: unknown,
    index: number,
  ) => `<post dsq:id="${first + index}"><message>${text} ${index + 1}</message>
    <createdAt>2013-10-10T19:20:29Z</createdAt><author><name>Author ${index % authors}</name></author>
    <thread dsq:id="1"/>${index === 0 ? '' : `<parent dsq:id="${first + index - 1}"/>`}</post>`;
  return `<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals">
    <thread dsq:id="1"><link>https://${page}</link></thread>
    ${Array.from({ length: count }, post).join('\n')}</disqus>`;
}
