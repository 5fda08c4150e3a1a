import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { useServer } from 'confab-testing/server.ts';
import { rootUrl } from 'confab-tools/places.ts';
import { guideGroups, guideNames, guideSources, picturesIn } from '../../../src/http/docs/guides.ts';
import { renderPages } from '../../../src/http/docs/markdown.ts';

const server = useServer();
const folder = new URL('docs/', rootUrl);

async function get(path: string): Promise<{ type: string; text: string }> {
  const { status, headers, text } = await server.call('GET', path, undefined, { as: null });
  assert.equal(status, 200, path);
  return { type: headers.get('content-type') ?? '', text };
}

const groups = ['basics', ...new Set(operationList.map(({ tag }) => tag.toLowerCase())), 'objects'];
const paths = [
  ...guideNames.map((name) => `/docs/${name}`),
  ...groups.map((group) => `/docs/reference/${group}`),
];

function idsOf(text: string): string[] {
  return [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
}

// Every guide and operation can be reached from the start page, and by programs from /llms.txt.
describe('the documentation', () => {
  test('has its start page, which leads to every page and holds every anchor of the former single page', async () => {
    const { text } = await get('/docs');
    for (const path of paths) assert.ok(text.includes(`href="${path}"`), path);
    for (const { id, tag } of operationList)
      assert.ok(text.includes(`<li id="${id}"><a href="/docs/reference/${tag.toLowerCase()}#${id}">`), id);
    for (const id of ['calling', 'retries', 'lists', 'errors', 'server', 'Problem', 'App'])
      assert.ok(idsOf(text).includes(id), id);
  });

  test('has an index that groups the guides by stages, with a sentence for each page', async () => {
    const { text } = await get('/docs');
    const guides = text.slice(text.indexOf('id="guides"'), text.indexOf('id="reference"'));
    const sections = guides.split('<section>').slice(1);
    const found = sections.map((section) => ({
      title: /<h3>(.*?)<\/h3>/.exec(section)?.[1],
      names: [...section.matchAll(/<dt><a href="\/docs\/([\w-]+)"/g)].map(([, name]) => name),
    }));
    assert.deepEqual(
      found.map(({ title }) => title),
      ['Start', 'Build', 'Run', 'Operate'],
    );
    assert.deepEqual(found.flatMap(({ names }) => names).toSorted(), [...guideNames].toSorted());
    const sentences = [...text.matchAll(/<dd>(.*?)<\/dd>|<p class="soft">(.*?)<\/p>/gs)].map(
      ([, item, paragraph]) => item ?? paragraph ?? '',
    );
    assert.ok(sentences.length > guideNames.length + groups.length);
    for (const sentence of sentences) {
      assert.match(sentence, /^[A-Z].*[^.]\.$/s);
      assert.ok(sentence.length < 160, sentence);
    }
  });

  test('is listed in the README in the same groups', () => {
    const readme = readFileSync(new URL('README.md', rootUrl), 'utf8');
    const listed = [...readme.matchAll(/^- \*\*(\w+)\*\*: (\[.*\]\(docs\/.*)$/gm)].map(
      ([, title, links = '']) => ({
        title,
        names: [...links.matchAll(/\]\(docs\/([\w-]+)\.md\)/g)].map(([, name]) => name),
      }),
    );
    assert.deepEqual(
      listed,
      guideGroups.map(({ title, guides }) => ({ title, names: guides.map(({ name }) => name) })),
    );
  });

  test('has each page as HTML and as Markdown, and no other', async () => {
    for (const path of paths) {
      const { type, text } = await get(path);
      assert.match(type, /^text\/html/, path);
      const markdown = await get(`${path}.md`);
      assert.match(markdown.type, /^text\/markdown; charset=utf-8/);
      const title = /^# (.*)$/m.exec(markdown.text)?.[1] ?? '';
      assert.ok(text.includes(`<title>${title} · Confab</title>`), path);
      const ids = idsOf(text);
      assert.equal(new Set(ids).size, ids.length, `${path} has each id once`);
    }
    for (const path of ['/docs/', '/docs/nothing', '/docs/README.md', '/docs/..%2fpackage.json', '/docs/sql'])
      assert.equal((await server.call('GET', path, undefined, { as: null })).status, 404, path);
  });

  test('has no dead link in Markdown', async () => {
    const addresses = ['/llms.txt', ...paths.map((path) => `${path}.md`)];
    let links = 0;
    // Many links lead to one page.
    const known = new Map<string, readonly string[]>();
    async function anchorsOf(pathname: string): Promise<readonly string[]> {
      await get(pathname);
      return pathname.endsWith('.png') ? [] : idsOf((await get(pathname.replace(/\.md$/, ''))).text);
    }
    for (const address of addresses) {
      const text = (await get(address)).text.replaceAll(/^```[\s\S]*?^```$/gm, '');
      for (const [, href = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname, hash } = new URL(href, server.url + address);
        if (origin !== server.url) continue;
        links += 1;
        const anchors = known.get(pathname) ?? (await anchorsOf(pathname));
        known.set(pathname, anchors);
        if (hash !== '') assert.ok(anchors.includes(hash.slice(1)), `${address} links to ${href}`);
      }
    }
    assert.ok(links > operationList.length);
  });

  test('has the pictures of its guides, which say what they show, and no other', async () => {
    const pictures = picturesIn(guideSources());
    assert.ok(pictures.length > 3);
    const shown = new Set<string>();
    for (const path of paths)
      for (const [, src = '', alt = ''] of (await get(path)).text.matchAll(
        /<img src="([^"]*)" alt="([^"]*)"/g,
      )) {
        assert.ok(alt.length > 20, `${path} describes ${src}`);
        shown.add(src);
      }
    assert.deepEqual([...shown].toSorted(), pictures.toSorted());
    for (const name of pictures) {
      const answer = await fetch(`${server.url}/docs/${name}`, {
        headers: { 'accept-encoding': 'br, gzip' },
      });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], name);
      assert.equal(answer.headers.get('content-encoding'), null);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), readFileSync(new URL(name, folder)), name);
      const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
      assert.equal((await fetch(`${server.url}/docs/${name}`, { headers })).status, 304);
    }
    assert.equal((await server.call('GET', '/docs/demo-messenger.png', undefined, { as: null })).status, 404);
  });

  test('has no dead link in the repository', () => {
    for (const name of guideNames)
      for (const [, href = ''] of readFileSync(new URL(`${name}.md`, folder), 'utf8').matchAll(
        /\]\(([^)\s#]+)(?:#[^)]*)?\)/g,
      ))
        if (!/^https?:|^\//.test(href)) assert.ok(existsSync(new URL(href, folder)), `${name}.md: ${href}`);
  });

  test('is listed for language models', async () => {
    const { type, text } = await get('/llms.txt');
    assert.match(type, /^text\/plain/);
    assert.match(text, /^# Confab\n\n> .+\n/);
    for (const path of paths)
      assert.match(text, new RegExp(`^- \\[.+\\]\\(${server.url}${path}\\.md\\): .+$`, 'm'), path);
  });
});

// The text of a file appears on the page unchanged, and nothing in it becomes markup.
describe('a page made from Markdown', () => {
  const page = (markdown: string) => {
    const [made] = renderPages(
      [
        { path: '/docs/a', markdown: `# A\n\n${markdown}` },
        { path: '/docs/b', markdown: '# The other\n\n## Part' },
      ],
      ['/docs/file.json'],
    );
    return { html: made?.content.text ?? '', markdown: made?.markdown ?? '', sections: made?.sections };
  };

  test('links to the other pages and to served files, and keeps the text of other links', () => {
    const { html, markdown } = page(
      '[one](b.md#part) [docs/b.md](b.md) [two](file.json) [three](../README.md) [four](https://example.com/)',
    );
    assert.match(html, /<a href="\/docs\/b#part">one<\/a> <a href="\/docs\/b">The other<\/a>/);
    assert.match(html, /<a href="\/docs\/file.json">two<\/a> three <a href="https:\/\/example.com\/">four</);
    assert.match(markdown, /\[one\]\(b\.md#part\) \[The other\]\(b\.md\) .* three /);
  });

  test('keeps code as it is, with its language', () => {
    const { html } = page('```js\na[0](x) < 1;\n```');
    assert.match(html, /<code class="language-js">a\[0\]\(x\) &lt; 1;\n<\/code>/);
  });

  test('gives headings the ids that GitHub gives them, or their own', () => {
    const { sections } = page(
      "## What's `new`, here?\n\nSome *text*.\n\n## What's new here\n\n## Own {#its-Own}",
    );
    assert.deepEqual(
      sections?.map(({ id, title, summary }) => [id, title, summary]),
      [
        ['a', 'A', ''],
        ['whats-new-here', "What's new, here?", 'Some text.'],
        ['whats-new-here-1', "What's new here", ''],
        ['its-Own', 'Own', ''],
      ],
    );
  });

  test('aligns numbers without inline styles', () => {
    const { html } = page('| a | b |\n|---|---:|\n| x | 1 |');
    assert.match(html, /<td>x<\/td>\n<td class="number">1<\/td>/);
    assert.doesNotMatch(html, /style=/);
  });

  test('contains no HTML of the file', () => {
    assert.match(page('<script>x</script>').html, /&lt;script&gt;/);
  });
});
