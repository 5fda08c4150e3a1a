import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { emptyPng } from 'confab-testing/harness/empty-png.ts';

/**
 * A stand-in for the server of Artalk 2.9: the requests of its element, answered from memory in its format (the types of the
 * package, `EntityCookedComment` and its neighbours), at once and compressed once. The element and its style are those of the
 * npm package.
 */

/** A comment as both servers have it. */
export type Written = {
  readonly id: number;
  readonly text: string;
  readonly html: string;
  readonly author: { readonly id: number; readonly name: string };
  readonly createdAt: string;
};

/** The stand-in. At the end of a scope with `await using` it is closed. */
export type ArtalkServer = AsyncDisposable & {
  readonly url: string;
  /** Gives a page its comments, oldest first. */
  put(pageKey: string, comments: readonly Written[]): void;
};

const version = '2.9.1';
const site = 'Bench';

/**
 * What the element takes from its server: pages of as many comments as those of the others. What the small variant leaves out
 * stays off. Pictures of people come from here in place of gravatar.com.
 */
const frontendSettings = (url: string) => ({
  flatMode: 'auto',
  nestMax: 2,
  nestSort: 'DATE_ASC',
  emoticons: false,
  vote: false,
  voteDown: false,
  uaBadge: false,
  listSort: true,
  preview: false,
  editorTravel: true,
  gravatar: { mirror: `${url}/avatar/`, params: 'd=mp&s=80' },
  pagination: { pageSize: 25, readMore: true, autoLoad: true },
  heightLimit: { content: 300, children: 400, scrollable: false },
  imgUpload: true,
  reqTimeout: 15_000,
  versionCheck: true,
});

function packageFile(name: string): Buffer {
  return readFileSync(new URL(name, `file://${folder}/`));
}

/** The folder of what the package has built. */
const folder = fileURLToPath(new URL('.', import.meta.resolve('artalk/ArtalkLite')));

/** Starts the stand-in on a free port. */
export async function startArtalk(): Promise<ArtalkServer> {
  const pages = new Map<string, readonly Written[]>();
  const compressed = new Map<string, Buffer>();
  const picture = await emptyPng(80, 80);
  let views = 0;

  /** Sends a text, compressed as small as brotli can, once for each key. */
  function send(response: ServerResponse, key: string, { type, text }: { type: string; text: () => string }) {
    let body = compressed.get(key);
    if (body === undefined) {
      body = brotliCompressSync(text());
      compressed.set(key, body);
    }
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body);
  }

  const sendJson = (response: ServerResponse, key: string, body: () => object) =>
    send(response, key, { type: 'application/json', text: () => JSON.stringify(body()) });

  function list(query: URLSearchParams) {
    const key = query.get('page_key') ?? '';
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const comments = pages.get(key) ?? [];
    return {
      comments: comments
        .toReversed()
        .slice(offset, offset + limit)
        .map((comment) => cooked(comment, key)),
      count: comments.length,
      roots_count: comments.length,
      page: {
        ...{ id: 1, admin_only: false, key, url: key, title: '', site_name: site },
        ...votes,
        pv: views,
      },
    };
  }

  async function create(request: IncomingMessage) {
    const { content, name, page_key: key } = JSON.parse(await textOf(request));
    const comments = pages.get(key) ?? [];
    const written: Written = {
      id: (comments.at(-1)?.id ?? 0) + 1,
      text: content,
      html: content,
      author: { id: 0, name },
      createdAt: new Date().toISOString(),
    };
    return cooked(written, key);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'content-type, authorization');
      response.writeHead(204).end();
      return;
    }
    const file = /^\/dist\/(ArtalkLite\.(js|css))$/.exec(pathname);
    if (file !== null) {
      const [, name = '', kind] = file;
      const type = kind === 'js' ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
      send(response, pathname, { type, text: () => packageFile(name).toString() });
    } else if (pathname.startsWith('/avatar/'))
      response
        .writeHead(200, { 'content-type': 'image/png', 'cache-control': 'public, max-age=300' })
        .end(picture);
    else if (pathname === '/api/v2/conf')
      sendJson(response, pathname, () => ({
        frontend_conf: frontendSettings(url),
        version: { app: 'artalk', version, commit_hash: '0000000' },
      }));
    else if (pathname === '/api/v2/pages/pv') {
      views += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ pv: views }));
    } else if (pathname === '/api/v2/user')
      sendJson(response, pathname, () => ({ user: {}, is_login: false, notifies: [], notifies_count: 0 }));
    else if (pathname === '/api/v2/comments' && request.method === 'POST') {
      const made = await create(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(made));
    } else if (pathname === '/api/v2/comments')
      sendJson(response, request.url ?? '', () => list(searchParams));
    else {
      console.log(`the stand-in has no ${request.method} ${pathname}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"msg":"Not Found"}');
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    put: (pageKey, comments) => void pages.set(pageKey, comments),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const votes = { vote_up: 0, vote_down: 0 };

/** A comment in the form of its server. Names have one picture each, as mail addresses have. */
function cooked({ id, text, html, author, createdAt }: Written, pageKey: string) {
  return {
    id,
    content: text,
    content_marked: html,
    user_id: author.id,
    nick: author.name,
    email_encrypted: Buffer.from(author.name.padEnd(16, '-')).toString('hex').slice(0, 32),
    link: '',
    ua: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    date: createdAt.slice(0, 19).replace('T', ' '),
    is_collapsed: false,
    is_pending: false,
    is_pinned: false,
    is_allow_reply: true,
    is_verified: false,
    rid: 0,
    badge_name: '',
    badge_color: '',
    visible: true,
    ...votes,
    page_key: pageKey,
    page_url: pageKey,
    site_name: site,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}
