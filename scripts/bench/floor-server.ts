/**
 * The floor for the reads of Confab: the shortest program on `node:http` that sends the same bytes and keeps the same
 * promises. It looks up the hash of the token, counts the request for its user and says what is left, reads the body as
 * one row of SQLite, makes its entity tag, sends the answers of a turn together, and writes one line of the log for each
 * with those of its turn. Takes the file of the answers (`floors.ts` fills it) and that of the log as arguments.
 */

import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { bodyTag, versionTag } from '../../src/http/answers/entity-tags.ts';
import { clientLimits } from '../../src/http/limits/client-limits.ts';
import { commonFields } from '../../src/http/request.ts';
import type { FloorAnswer, FloorUser } from './floors.ts';

const [file = '', logFile = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });
const users = new Map(
  (database.prepare('select token_hash, quota from users').all() as FloorUser[]).map((user) => [
    user.token_hash,
    { ...user, used: 0 },
  ]),
);
const select = database.prepare('select body, fields, tag from answers where path = ?');
const log = createWriteStream(logFile);
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

/** What is left for a user, in the form of the header field. */
function count(user: { readonly quota: number; used: number }): string {
  const now = Date.now();
  if (now >= windowEndsAt) {
    windowEndsAt = now + windowSeconds * 1000;
    for (const one of users.values()) one.used = 0;
  }
  user.used += 1;
  return `"person-read";r=${user.quota - user.used};t=${Math.ceil((windowEndsAt - now) / 1000)}`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const { method, url = '' } = request;
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const user = users.get(hash('sha256', token));
  if (user === undefined) return void response.writeHead(401).end();
  const ratelimit = count(user);
  const row = select.get(url) as FloorAnswer | undefined;
  if (row === undefined) return void response.writeHead(404).end();
  const body = row.body.length > 4096 ? Buffer.from(row.body) : row.body;
  const tag =
    row.tag === null ? {} : { etag: `"${row.tag === 'version' ? versionTag(row.body) : bodyTag(row.body)}"` };
  requests += 1;
  const id = `floor-${requests.toString(36)}`;
  const head = {
    ratelimit,
    'ratelimit-policy': `"person-read";q=${user.quota};w=${windowSeconds}`,
    ...commonFields,
    'x-request-id': id,
    'content-type': 'application/json; charset=utf-8',
    ...tag,
    ...JSON.parse(row.fields),
    'content-length': Buffer.byteLength(body),
  };
  response.once('finish', () => {
    if (lines === '') setImmediate(writeLines);
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
    lines += `{"level":30,"time":${Date.now()},"request_id":"${id}","method":"${method}","path":${JSON.stringify(url)},"status":200,"ms":${ms},"user_id":1,"msg":"request"}\n`;
  });
  if (waiting.length === 0) setImmediate(endTurn);
  waiting.push(() => response.writeHead(200, head).end(body));
}

const server = createServer({ keepAliveTimeout: clientLimits.idleMs }, answer);
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
