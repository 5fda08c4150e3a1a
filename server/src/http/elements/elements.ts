import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { serveCached, type WholeAnswer } from '../pages/once.ts';
import type { Http } from '../server.ts';

/**
 * The script of our own web components (`<confab-comments>` and others), for pages of any origin. It is built from
 * the package of the elements: `elements.js` has what a reader needs, and loads the parts below `/elements/`, whose
 * names have their hash, when somebody wants to do more. The texts of each language are below `/elements/texts/`, whose
 * addresses the entry makes from the code of the language, and themes below `/elements/themes/`.
 */

const built = new URL('./built/', import.meta.url);
/** How long browsers use the script without asking whether there is another, in seconds. */
const entrySeconds = 300;
const partSeconds = 31_536_000;
/** Readers wait for these files, so every byte counts. */
const smallest = { isSmallest: true };

/** Serves `/elements.js`, and its parts below `/elements/`; nothing where a checkout is without their package. */
export function bindElements(http: Http): void {
  if (!existsSync(built)) return;
  const entry = serveCached(() => fileAnswer('elements.js', `max-age=${entrySeconds}`), smallest);
  // Parts import the entry by its plain address. With another one, the page would have a second copy of it.
  const plain = serveCached(() => scriptAnswer("export * from './elements.js';", `max-age=${entrySeconds}`));
  http.page('/elements.js', async (_params, raw) =>
    raw.url.includes('?') ? await plain(raw) : await entry(raw),
  );
  for (const name of filesIn('elements/')) {
    const part = serveCached(
      () => fileAnswer(`elements/${name}`, `max-age=${partSeconds}, immutable`),
      smallest,
    );
    http.page(`/elements/${name}`, async (_params, raw) => await part(raw));
  }
  for (const name of filesIn('elements/texts/')) {
    const texts = serveCached(
      () => fileAnswer(`elements/texts/${name}`, `max-age=${entrySeconds}`),
      smallest,
    );
    http.page(`/elements/texts/${name}`, async (_params, raw) => await texts(raw));
  }
  for (const name of filesIn('themes/')) {
    const css = readFileSync(new URL(`themes/${name}`, built), 'utf8');
    const theme = serveCached(() => openAnswer(css, 'text/css', `max-age=${entrySeconds}`));
    http.page(`/elements/themes/${name}`, async (_params, raw) => await theme(raw));
  }
}

/** The names of the files in a folder, without those of the folders in it. */
function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, built)).filter((name) => /\.(?:js|css)$/.test(name));
}

function fileAnswer(name: string, age: string): WholeAnswer {
  return scriptAnswer(readFileSync(new URL(name, built), 'utf8'), age);
}

function scriptAnswer(body: string, age: string): WholeAnswer {
  return openAnswer(body, 'text/javascript', age);
}

/** It is the same for everyone and contains nothing confidential, so pages of any origin may load it. */
function openAnswer(body: string, type: string, age: string): WholeAnswer {
  return {
    status: 200,
    headers: {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-type': `${type}; charset=utf-8`,
      'cache-control': `public, ${age}`,
    },
    body,
  };
}
