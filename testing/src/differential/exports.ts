import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { rootUrl } from 'confab-tools/places.ts';
import type { Random } from '../harness/random.ts';
import type { Texts } from './texts.ts';

/** Exports of other systems to import: small ones that overlap, and files that are none. */

const wordpress = readFileSync(new URL('importers/fixtures/wordpress.xml', rootUrl));
const disqus = readFileSync(new URL('importers/fixtures/disqus.xml', rootUrl));

function inText(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', '')}]]>`;
}

/** An export of Disqus with a few posts, whose numbers and authors are among few, so that imports meet each other. */
function drawDisqus(random: Random, texts: Texts): string {
  const pages = [1, 2, 3].map(
    (page) =>
      `<thread dsq:id="${page}"><link>https://garden.example/page-${page}</link><title>${inText(texts.words(3))}</title></thread>`,
  );
  const posts = Array.from({ length: random.integer(0, 6) }, () => {
    const id = random.integer(1, 60);
    const author = random.pick(['ada', 'bob', 'çelik', '日向']);
    const parent = random.oneIn(3) ? `<parent dsq:id="${random.integer(1, 60)}"/>` : '';
    const state = random.pick(['isDeleted', 'isSpam', 'isApproved', 'isApproved', 'isApproved']);
    return `<post dsq:id="${id}"><message>${inText(`<p>${texts.words(8)}</p>`)}</message>
      <createdAt>2013-10-${random.integer(10, 28)}T19:20:29Z</createdAt><${state}>true</${state}>
      <author><name>${author}</name><isAnonymous>false</isAnonymous><username>${author}</username></author>
      <thread dsq:id="${random.integer(1, 4)}"/>${parent}</post>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals">${pages.join('')}${posts.join('')}</disqus>`;
}

/** A file, and what it is most of an export of. */
export type ExportFile = { readonly kind: 'disqus' | 'wordpress'; readonly bytes: Buffer };

/** Draws a file: mostly an export, also packed, cut off or of something else. */
export function drawExport(random: Random, texts: Texts): ExportFile {
  const whole = Buffer.from(drawDisqus(random, texts));
  const kind = random.integer(1, 12);
  if (kind <= 2) return { kind: 'wordpress', bytes: wordpress };
  const bytes = () => {
    if (kind === 3) return gzipSync(whole);
    if (kind === 4) return whole.subarray(0, random.integer(0, whole.length));
    if (kind === 5) return Buffer.concat([Buffer.from('<?xml version="1.0"?>'), Buffer.alloc(2000)]);
    if (kind === 6) return Buffer.from('<a>'.repeat(500));
    return kind === 7 ? disqus : whole;
  };
  return { kind: 'disqus', bytes: bytes() };
}
