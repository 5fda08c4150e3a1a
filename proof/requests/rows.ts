import { limits } from 'confab-contract/fields.ts';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { emptyPng } from 'confab-testing/harness/empty-png.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import { fullBody, type Supply, unknownProperties, wrongBodies } from './bodies.ts';
import { exifJpeg, hostileTexts } from './hostile.ts';
import type { Sent } from './measure.ts';
import type { Pages } from './pages.ts';
import { directory, type World } from './world.ts';

/** A request that is measured: what it is, and how to make it. Made again, it is about something fresh where it has to. */
export type Row = {
  readonly name: string;
  /** Whether it can be sent again for a second look. */
  readonly isRepeatable: boolean;
  /** Why it may cost more than others. */
  readonly exemption?: string;
  make(): Promise<Sent>;
};

/** What rows are made of. */
export type Stock = {
  readonly world: World;
  readonly supply: Supply;
  readonly pages: Pages;
  readonly random: Random;
  /** The headers of the user whose requests are measured. */
  readonly headers: Readonly<Record<string, string>>;
};

const json = { 'content-type': 'application/json' };
const strict = { prefer: 'handling=strict' };

/** Words that every comment of the store has, and one of them as often as a query may have it. */
const manyWords = Array.from({ length: 32 }, () => 'c').join('+');
const deepSkip = 5000;

const kindOfCollection: { readonly [collection: string]: string } = {
  comments: 'comment',
  conversations: 'room',
  files: 'file',
  messages: 'message',
  notifications: 'notification',
  options: 'option',
  posts: 'post',
  reactions: 'reaction',
};

/** Whether the operation takes away what it is about, so that each request needs another one. */
function isTaking({ method, path }: Operation): boolean {
  return (method === 'DELETE' && path.endsWith('}')) || path.endsWith('/trash');
}

/** Every row: those of each operation of the contract, and those of texts, pictures, pages and searches. */
export async function allRows(stock: Stock): Promise<Row[]> {
  // What takes things away comes last, so that nothing is missing before.
  const operations = [...operationList].sort((a, b) => Number(isTaking(a)) - Number(isTaking(b)));
  return [
    ...textRows(stock),
    ...(await uploadRows(stock)),
    ...pageRows(stock),
    ...operations.flatMap((operation) => rowsOf(operation, stock)),
  ];
}

function rowsOf(operation: Operation, stock: Stock): Row[] {
  const { id, method, body, list } = operation;
  const row = (name: string, make: () => Promise<Sent>, exemption?: string): Row => ({
    name: `${id}: ${name}`,
    isRepeatable: true,
    ...(exemption === undefined ? {} : { exemption }),
    make,
  });
  const plain = async (query = '', headers = {}): Promise<Sent> => ({
    method,
    path: `${await pathOf(operation, stock)}${query}`,
    headers: { ...stock.headers, ...headers },
  });
  const rows: Row[] = [];
  if (operation.upload !== undefined) return rows;
  if (operation.takesText === true)
    rows.push(
      row('a megabyte of records', async () => ({
        ...(await plain('?id=none', { 'content-type': 'text/plain' })),
        body: Buffer.from('{"type":6}\u001e'.repeat(90_000)),
      })),
    );
  if (body === undefined) rows.push(row('plain', () => plain()));
  else {
    rows.push(
      row('everything at its limit', async () => ({
        ...(await plain('', json)),
        body: Buffer.from(JSON.stringify(await fullBody(operation, stock.supply))),
      })),
    );
    for (const [name, text] of Object.entries(wrongBodies(operation)))
      rows.push(row(name, async () => ({ ...(await plain('', json)), body: Buffer.from(text) })));
    rows.push(
      row('a megabyte of unknown properties, strictly', async () => ({
        ...(await plain('', { ...json, ...strict })),
        body: Buffer.from(unknownProperties(operation)),
      })),
    );
  }
  if (method === 'GET' && operation.query !== undefined)
    rows.push(row('unknown parameters, strictly', () => plain(`?${manyParameters}`, strict)));
  if (list !== undefined) {
    const everything = `top=${limits.topMax}&expand=${list.expand.join(',')}`;
    const search = 'search over very many comments';
    rows.push(
      row('a whole page with everything', () => plain(`?${everything}`)),
      row('a word that all have', () => plain(`?${everything}&q=c`)),
      row('a tag that all have', () => plain(`?${everything}&tag=t`)),
      row('a word and a tag that all have', () => plain(`?${everything}&tag=t&q=c`)),
      row('a word again and again', () => plain(`?${everything}&q=${manyWords}`), search),
      row('a phrase', () => plain(`?${everything}&q=%22c+comment%22`)),
      row('a word, in the trash or not', () => plain(`?${everything}&q=c&trashed=null`)),
      ...list.orderBy.map((field) =>
        row(`by ${field}, far down`, () => plain(`?${everything}&order_by=${field}+desc&skip=${deepSkip}`)),
      ),
      row('a word, by the last order, far down', () =>
        plain(`?${everything}&q=c&order_by=${list.orderBy.at(-1)}+desc&skip=${deepSkip}`),
      ),
    );
    if (id === 'listAppComments')
      rows.push(
        row('long comments', async () => ({
          ...(await plain()),
          path: `/api/apps/${stock.world['long']?.[0]}/comments?${everything}`,
        })),
      );
  }
  if (id === 'listEvents')
    rows.push(
      row('the long comments as events', () => plain('?top=100&after=0')),
      row('the newest', () => plain(`?top=100&after=${Number.MAX_SAFE_INTEGER}`)),
    );
  return rows;
}

const manyParameters = Array.from({ length: 1500 }, (_, n) => `u${n}=1`).join('&');

/** The path of an operation about what has the most to it, or about something fresh where it is taken away. */
async function pathOf(operation: Operation, { world, supply }: Stock): Promise<string> {
  const isFresh = isTaking(operation);
  const idOf = (kind: string) => {
    const ids = world[kind] ?? [];
    return String((isFresh ? ids.pop() : ids[0]) ?? 1);
  };
  const { path } = operation;
  const values: { [name: string]: string } = {
    directory,
    user: operation.tag === 'Members' ? supply.colleague(1) : 'colleague-1',
    version: '1',
    delivery: '1',
    set: 'comments',
  };
  if (path.includes('{app}')) values['app'] = appOf(path, operation, idOf);
  if (path.includes('{id}')) {
    const collection = path.split('/')[path.split('/').indexOf('{id}') - 1] ?? '';
    if (collection === 'blobs') values['id'] = String((await supply.blobs(1))[0]);
    else if (collection === 'embeds') values['id'] = String(await supply.embed());
    else if (collection === 'meetings') values['id'] = String(await supply.meeting());
    else if (collection === 'apps') values['id'] = idOf(path.includes('posts') ? 'postsApp' : 'chat');
    else values['id'] = idOf(kindOfCollection[collection] ?? collection);
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1');
}

function appOf(path: string, { method, id }: Operation, idOf: (kind: string) => string): string {
  if (path.endsWith('/comments')) return idOf('app');
  if (path.endsWith('/files')) return idOf('filesApp');
  if (path.endsWith('/posts')) return idOf('postsApp');
  // Whoever lists messages reads the chat that has many, whoever writes one notifies the room that has many members.
  if (path.endsWith('/messages')) return idOf(method === 'POST' ? 'room' : 'chat');
  // Nobody is a member of one's own app, and everybody of the room.
  if (path.includes('/members')) return idOf(method === 'POST' || method === 'PUT' ? 'app' : 'room');
  return id === 'upsertApp' ? 'own' : idOf(id === 'deleteApp' || id === 'trashApp' ? 'room' : 'app');
}

function textRows({ world, random, headers }: Stock): Row[] {
  return Object.entries(hostileTexts(limits.textBytesMax, random)).map(([name, text]) => ({
    name: `createAppComment: 64 KiB of ${name}`,
    isRepeatable: true,
    make: async () => ({
      method: 'POST',
      path: `/api/apps/${world['app']?.[0]}/comments`,
      headers: { ...headers, ...json },
      body: Buffer.from(JSON.stringify({ text })),
    }),
  }));
}

const boundary = 'the-boundary-of-the-form';

function form(name: string, type: string, bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="blob"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

async function uploadRows({ headers }: Stock): Promise<Row[]> {
  const uploads: { readonly [name: string]: Buffer } = {
    'a JPEG with 29,000 Exif blocks': form('a.jpg', 'image/jpeg', exifJpeg(512 * 1024)),
    'a PNG of 700,000 × 70': form('a.png', 'image/png', await emptyPng(700_000, 70)),
    'a PNG of 16,384 × 3,051': form('a.png', 'image/png', await emptyPng(16_384, 3051)),
    'a PNG of 7,000 × 7,000': form('a.png', 'image/png', await emptyPng(7000, 7000)),
    '50 MiB of zeros': form('a.bin', 'application/octet-stream', Buffer.alloc(limits.uploadBytesMax)),
    'a megabyte of parts': Buffer.from(`--${boundary}\r\n`.repeat(40_000)),
  };
  return Object.entries(uploads).map(([name, body]) => ({
    name: `createBlob: ${name}`,
    isRepeatable: true,
    make: async () => ({
      method: 'POST',
      path: '/api/blobs',
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    }),
  }));
}

function pageRows({ pages, headers }: Stock): Row[] {
  return pages.names.map((name) => ({
    name: `createEmbed: ${name}`,
    isRepeatable: true,
    make: async () => ({
      method: 'POST',
      path: '/api/embeds',
      headers: { ...headers, ...json },
      body: Buffer.from(JSON.stringify({ url: pages.freshUrl(name) })),
    }),
  }));
}
