/**
 * The floor for Confab: the shortest program on `node:http` that sends the same bytes and keeps the same promises. It looks
 * up the hash of the token, counts the request for its user and says what is left, reads the body as one row of SQLite or
 * creates a comment (`floor-writes.ts`), makes the entity tag, sends the answers of a turn together, and writes a line of
 * the log for each with those of 10 ms. Takes its folder (`floors.ts` fills it) as an argument.
 */

import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { compressedBytesMin } from 'confab-server/src/http/answers/compression.ts';
import { bodyTag, versionTag } from 'confab-server/src/http/answers/entity-tags.ts';
import { clientLimits } from 'confab-server/src/http/limits/client-limits.ts';
import { commonFields } from 'confab-server/src/http/request.ts';
import { openFloorStore } from './floor-writes.ts';
import { type FloorAnswer, type FloorUser, floorFiles } from './floors.ts';

type Kind = 'read' | 'write';

const files = floorFiles(process.argv[2] ?? '');
const database = new DatabaseSync(files.answers, { readOnly: true });
const users = new Map(
  (database.prepare('select * from users').all() as FloorUser[]).map((user) => [
    user.token_hash,
    { ...user, used: { read: 0, write: 0 } },
  ]),
);
const select = database.prepare('select body, fields, tag from answers where path = ?');
const addComment = openFloorStore(files.store);
const log = createWriteStream(files.log);
const windowSeconds = 60;
let windowEndsAt = 0;
let requests = 0;
let waiting: (() => void)[] = [];
let lines = '';

function endTurn(): void {
  const answers = waiting;
  waiting = [];
  for (const answer of answers) answer();
}

function writeLines(): void {
  log.write(lines);
  lines = '';
}

/** Counts a request for its user. Answers the header fields with the quota and what is left of it. */
function count({ used, reads, writes }: FloorUser & { readonly used: Record<Kind, number> }, kind: Kind) {
  const now = Date.now();
  if (now >= windowEndsAt) {
    windowEndsAt = now + windowSeconds * 1000;
    for (const user of users.values()) user.used = { read: 0, write: 0 };
  }
  used[kind] += 1;
  const quota = kind === 'read' ? reads : writes;
  return {
    ratelimit: `"person-${kind}";r=${quota - used[kind]};t=${Math.ceil((windowEndsAt - now) / 1000)}`,
    'ratelimit-policy': `"person-${kind}";q=${quota};w=${windowSeconds}`,
  };
}

/** Writes the head and the body of an answer, and its line of the log once it has left. */
function send(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  { status, fields, body, startedAt }: { status: number; fields: object; body: string; startedAt: number },
): void {
  requests += 1;
  const id = `floor-${requests.toString(36)}`;
  const bytes = body.length > 4096 ? Buffer.from(body) : body;
  const length = Buffer.byteLength(bytes);
  // It could be compressed for a client that asks for it.
  const vary = length < compressedBytesMin ? {} : { vary: 'accept-encoding' };
  response.once('finish', () => {
    if (lines === '') setTimeout(writeLines, 10);
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
    lines += `{"level":30,"time":${Date.now()},"request_id":"${id}","method":"${method}","path":${JSON.stringify(url)},"status":${status},"ms":${ms},"user_id":1,"msg":"request"}\n`;
  });
  response
    .writeHead(status, {
      ...fields,
      ...vary,
      'x-request-id': id,
      'content-type': 'application/json; charset=utf-8',
      'content-length': length,
    })
    .end(bytes);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const { method, url = '' } = request;
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const user = users.get(hash('sha256', token));
  if (user === undefined) return void response.writeHead(401).end();
  if (method === 'POST') {
    const fields = { ...count(user, 'write'), ...commonFields };
    create(request, user, (status, own, body) =>
      send(request, response, { status, fields: { ...fields, ...own }, body, startedAt }),
    );
    return;
  }
  const fields = { ...count(user, 'read'), ...commonFields };
  const row = select.get(url) as FloorAnswer | undefined;
  if (row === undefined) return void response.writeHead(404).end();
  const { body } = row;
  const tag =
    row.tag === null ? {} : { etag: `"${row.tag === 'version' ? versionTag(body) : bodyTag(body)}"` };
  if (waiting.length === 0) setImmediate(endTurn);
  waiting.push(() =>
    send(request, response, {
      status: 200,
      fields: { ...fields, ...tag, ...JSON.parse(row.fields) },
      body,
      startedAt,
    }),
  );
}

/** Reads the body of a request and creates its comment. */
function create(
  request: IncomingMessage,
  user: FloorUser,
  answered: (status: number, fields: object, body: string) => void,
): void {
  const appId = Number(/^\/api\/apps\/(\d+)\/comments$/.exec(request.url ?? '')?.[1]);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly text?: unknown };
    if (typeof text !== 'string') return answered(422, {}, '{}');
    const isThere = addComment({
      appId,
      user,
      text,
      answer: (body, id) =>
        answered(
          201,
          { location: `http://${request.headers.host}/api/comments/${id}`, etag: `"${versionTag(body)}"` },
          body,
        ),
    });
    if (!isThere) answered(404, {}, '{}');
  });
}

const server = createServer({ keepAliveTimeout: clientLimits.idleMs }, answer);
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
