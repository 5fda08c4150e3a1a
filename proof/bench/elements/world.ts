import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { commentTexts, drawWords } from '../comment-texts.ts';
import { startArtalk, type Written } from './artalk.ts';

/** A site whose pages have the same comments on a Confab server and on the stand-in for Artalk's. */
export type World = AsyncDisposable & {
  /** The origins. */
  readonly site: string;
  readonly confab: string;
  readonly artalk: string;
  /** Puts a page at a path and returns its address. Its comments are those of a thread of `sizes`. */
  serve(path: string, thread: string, parts: { readonly head: string; readonly body: string }): string;
};

/** How many comments the threads have, by their names. */
const sizes: { readonly [thread: string]: number } = {
  'thread-25': 25,
  'thread-100': 100,
  'thread-1000': 1000,
  'thread-writing': 25,
};

const authorsCount = 12;

/** Starts the three servers and writes the comments, at most those of one thread at a time, in their order. */
export async function startWorld(folder: string, seed: number): Promise<World> {
  await using starting = new AsyncDisposableStack();
  const pages = new Map<string, string>();
  let token = '';
  const host = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const isToken = path === '/token';
    const body = isToken ? JSON.stringify({ access_token: token }) : pages.get(path);
    const type = isToken ? 'application/json' : 'text/html; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  starting.defer(async () => {
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
  });
  const site = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const settings = { CONFAB_LOG_LEVEL: 'error', CONFAB_CORS_ORIGINS: site, CONFAB_SIGN_IN: 'guest' };
  const confab = starting.use(await startConfab({ folder, settings }));
  const artalk = starting.use(await startArtalk());
  await using client = new Client(confab);
  token = await issueToken(client, 'reader');
  const random = seededRandom(seed);
  const authors = await makeAuthors(client, random);
  for (const [thread, count] of Object.entries(sizes)) {
    const uid = pageUid(`${site}/${thread}`);
    const app = await client.create('/api/apps', {
      ...{ uid, type: 'comments', access: 'write', visitors: 'write' },
    });
    const written: Written[] = [];
    for (const text of commentTexts(count, seed)) {
      const author = random.draw(authors);
      const made = await client.must('POST', `/api/apps/${app}/comments`, { text }, author.token);
      const { id, html, created_at: createdAt } = made;
      written.push({ id: Number(id), text, html: String(html), author, createdAt: String(createdAt) });
    }
    artalk.put(thread, written);
  }
  const article = [1, 2].map(() => `<p>${drawWords(random, 60)}.</p>`).join('\n');
  const held = starting.move();
  return {
    site,
    confab: confab.url,
    artalk: artalk.url,
    serve(path, thread, { head, body }) {
      pages.set(
        path,
        `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>An article</title>
<link rel="icon" href="data:,"><link rel="canonical" href="${site}/${thread}">
<style>body { font: 16px/1.5 sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }</style>
${head}</head><body><main><h1>An article</h1>
${article}
${body}</main></body></html>`,
      );
      return site + path;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function makeAuthors(client: Client, random: ReturnType<typeof seededRandom>) {
  const authors: { id: number; name: string; token: string }[] = [];
  for (let number = 1; number <= authorsCount; number += 1) {
    const name = drawWords(random, 2).replaceAll(/\b\p{L}/gu, (letter) => letter.toUpperCase());
    const uid = `author-${number}`;
    const id = await client.create('/api/users', { uid, name });
    authors.push({ id, name, token: await issueToken(client, uid) });
  }
  return authors;
}
