/**
 * What the framework alone can do on this machine, to hold Confab against: Fastify with its defaults and no log,
 * echoing JSON that it validated and serialising 25 comments; and an echo that sends the headers of Confab and writes its
 * log line. Takes the file of a list of comments and the file for the log as arguments.
 */

import { readFileSync } from 'node:fs';
import { CommentList } from 'confab-contract/comments.ts';
import { EntryCreate } from 'confab-contract/entries.ts';
import { commonFields } from 'confab-server/src/http/request.ts';
import { fastify } from 'fastify';
import { pino } from 'pino';

const [listFile = '', logFile = ''] = process.argv.slice(2);
const list: unknown = JSON.parse(readFileSync(listFile, 'utf8'));

/** The schema without ids: the same part stands in it more than once. */
function withoutIds(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)));
}

const app = fastify({
  ajv: { customOptions: { strict: false, formats: { text: true, metadata: true, uid: true } } },
});
app.post('/echo', { schema: { body: withoutIds(EntryCreate) } }, async (request) => request.body);
const log = pino({ base: null }, pino.destination({ dest: logFile, sync: false }));
app.post(
  '/echo-logged',
  {
    schema: { body: withoutIds(EntryCreate) },
    async onResponse({ id, method, url }, { statusCode, elapsedTime }) {
      const ms = Math.round(elapsedTime * 1000) / 1000;
      log.info({ request_id: id, method, path: url, status: statusCode, ms, user_id: 1 }, 'request');
    },
  },
  async (request, reply) => {
    reply.headers(commonFields).header('x-request-id', request.id);
    return request.body;
  },
);
app.get('/list', { schema: { response: { 200: withoutIds(CommentList) } } }, async () => list);
app.get('/list-stringify', async () => list);
app.get(
  '/hello',
  { schema: { response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } } } },
  async () => ({ hello: 'world' }),
);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${app.listeningOrigin}\n`);
