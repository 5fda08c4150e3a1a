import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../places.ts';

/** The rules that Biome holds the tree to as patterns. */
const plugins = ['everywhere', 'source', 'tests'].map((name) => `tools/tidy/${name}.grit`);

/** Paths relative to the root of a tree, with the text of each file. */
type Files = Readonly<Record<string, string>>;

/** A violation of one rule, reported at the first of its files unless `at` names another. */
interface Seed {
  readonly rule: string;
  readonly files: Files;
  readonly at?: string;
}

/** The smallest program with every layer in it; every step of verify passes on it. */
const cleanTree: Files = {
  'package.json': manifestWith({ typescript: '*' }),
  'server/package.json': serverWith({}),
  'contract/package.json': JSON.stringify({
    name: 'skeleton-contract',
    type: 'module',
    exports: { './*': './src/*' },
    dependencies: { typebox: '*' },
  }),
  'tools/assemble.ts': 'process.exitCode = 0;\n',
  'README.md': 'Start with `npm ci && npm start`, test with `npm ci && npm test`.\n',
  'openapi.json': '{}\n',
  'console/src/main.tsx': 'document.title;\n',
  'elements/src/elements.ts': 'document.title;\n',
  'conformance/index.js': "/** @type {string} */\nexport const word = 'a';\n",
  'tools/generate.ts': `import { readFileSync } from 'node:fs';

process.exitCode = readFileSync('openapi.json', 'utf8') === '{}\\n' ? 0 : 1;
`,
  'server/bin/start.js': `await import(new URL('../src/cli.ts', import.meta.url).href);\n`,
  'server/src/cli.ts': `import { main } from './main/main.ts';

await main();
`,
  'server/src/main/main.ts': `import { readConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { bindNotes } from '../features/notes/notes.routes.ts';
import { createNotes } from '../features/notes/notes.ts';
import { createServer } from '../http/server.ts';
import { systemClock } from '../kernel/clock.ts';
import { fetchPage } from '../net/egress.ts';
import { acceptSockets } from '../realtime/sockets.ts';
import { widthOf } from '../workers/picture-process.ts';
import { startLoop } from '../workers/runner.ts';

/** Builds the program and starts it. */
export async function main(): Promise<void> {
  const config = readConfig();
  const database = openDatabase(config.databasePath);
  bindNotes(createServer(), createNotes(database, systemClock));
  await widthOf(await fetchPage(config.page));
  acceptSockets();
  startLoop(database);
}
`,
  'server/src/config/config.ts': `/** The settings, read once. */
export function readConfig(): { databasePath: string; page: string } {
  return { databasePath: process.env.DATABASE ?? ':memory:', page: process.env.PAGE ?? '' };
}
`,
  'server/src/kernel/clock.ts': `/** The time in Unix milliseconds. */
export type Clock = { now(): number };

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
`,
  'contract/src/index.ts': `export { Note } from './notes.ts';
`,
  'contract/src/notes.ts': `import Type from 'typebox';

export const Note = Type.Object({ text: Type.String() });

export type Note = Type.Static<typeof Note>;
`,
  'server/src/db/database.ts': `import { DatabaseSync } from 'node:sqlite';

/** An open database. */
export type Database = DatabaseSync;

/** Opens the file, or makes it. */
export function openDatabase(file: string): Database {
  return new DatabaseSync(file);
}
`,
  'server/src/net/egress.ts': `import { request } from 'undici';

/** The body found at the address. */
export async function fetchPage(address: string): Promise<string> {
  const { body } = await request(address);
  return body.text();
}
`,
  'server/src/events/log.ts': `import type { Database } from '../db/database.ts';

/** Appends an event in the transaction of the caller. */
export function append(database: Database, kind: string): void {
  database.prepare('insert into events (kind) values (?)').run(kind);
}
`,
  'server/src/access/access.ts': `/** Whether the caller may write. */
export function canWrite(caller: string): boolean {
  return caller !== '';
}
`,
  'server/src/features/notes/notes.ts': `import { canWrite } from '../../access/access.ts';
import type { Database } from '../../db/database.ts';
import { append } from '../../events/log.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Note } from './note.ts';
import { insertNote } from './notes.store.ts';
import { isQueued } from './queue/queue.ts';

/** What can be done with notes. */
export type Notes = { create(caller: string, note: Note): string };

/** The rules of notes. A date made from a number of milliseconds is allowed anywhere. */
export function createNotes(database: Database, clock: Clock): Notes {
  return {
    create(caller, note) {
      if (canWrite(caller)) insertNote(database, note.text);
      if (isQueued(database)) append(database, 'note_created');
      return new Date(clock.now()).toISOString();
    },
  };
}
`,
  'server/src/features/notes/note.ts': `import Type from 'typebox';

/** A note as a request has it. */
export const Note = Type.Object({ text: Type.String() });

/** The same as a type. */
export type Note = Type.Static<typeof Note>;
`,
  'server/src/features/notes/notes.store.ts': `import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** Inserts one row. The key used to sign is none of its business. */
export function insertNote(database: Database, text: string): void {
  database.prepare(String(sql\`insert\`)).run(text);
}
`,
  'server/src/features/notes/queue/queue.ts': `import type { Database } from '../../../db/database.ts';
import { insertNote } from '../notes.store.ts';
import { countQueued } from './queue.store.ts';

/** Whether a note waits; the stores of a feature serve all of its folders. */
export function isQueued(database: Database): boolean {
  return countQueued(database) === insertNote.length;
}
`,
  'server/src/features/notes/queue/queue.store.ts': `import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../../db/database.ts';

type Notes = SelectQueryBuilder<{ notes: { id: number } }, 'notes', object>;

/** How many notes wait, one at most. */
export function countQueued(database: Database, notes?: Notes): number {
  const { sql: text } = notes?.limit(sql.lit(1)).compile() ?? { sql: 'select 1' };
  return database.prepare(text).all().length;
}
`,
  'server/src/features/notes/notes.routes.ts': `import { canWrite } from '../../access/access.ts';
import type { Server } from '../../http/server.ts';
import { Note } from './note.ts';
import type { Notes } from './notes.ts';

/** Binds notes to HTTP. */
export function bindNotes(server: Server, notes: Notes): void {
  server.post('/notes', { body: Note }, () => notes.create(String(canWrite), { text: '// a' }));
}
`,
  'server/src/http/server.ts': `import type { ServerResponse } from 'node:http';
import { isIP, Socket } from 'node:net';
import findMyWay from 'find-my-way';

/** A server that does not listen yet. */
export type Server = ReturnType<typeof createServer>;

/** Builds a server. To name what listens and what is listened to is no way out. */
export function createServer() {
  const routes = findMyWay();
  return {
    post: (path: string, _schema: object, answer: () => unknown) => routes.on('POST', path, answer),
    drop(_: ServerResponse, socket: unknown) {
      if (socket instanceof Socket && isIP(socket.remoteAddress ?? '') !== 0) socket.destroy();
    },
  };
}
`,
  'server/src/workers/runner.ts': `import type { Database } from '../db/database.ts';
import { append } from '../events/log.ts';

/** Starts the loop. */
export function startLoop(database: Database): void {
  setTimeout(() => append(database, 'tick'), 1000);
}
`,
  'server/src/workers/picture-process.ts': `import sharp from 'sharp';

/** The width of a picture in pixels. */
export async function widthOf(file: string): Promise<number> {
  return (await sharp(file).metadata()).width;
}
`,
  'server/src/realtime/sockets.ts': `import { WebSocketServer } from 'ws';
import { canWrite } from '../access/access.ts';

/** Takes sockets that somebody may write to. */
export function acceptSockets(): WebSocketServer {
  return new WebSocketServer({ noServer: true, clientTracking: canWrite('') });
}
`,
  'server/test/notes.test.ts': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canWrite } from '../src/access/access.ts';

test('nobody writes', () => {
  assert.equal(canWrite(''), false);
});
`,
};

const importSeeds: readonly Seed[] = [
  { rule: 'config-imports', files: { 'server/src/config/config.ts': `import '../db/database.ts';\n` } },
  {
    rule: 'kernel-imports',
    files: { 'server/src/kernel/a.ts': `import type { Database } from '../db/database.ts';\n` },
  },
  { rule: 'db-imports', files: { 'server/src/db/a.ts': `export { append } from '../events/log.ts';\n` } },
  { rule: 'setup-imports', files: { 'server/src/setup/a.ts': `import '../http/server.ts';\n` } },
  { rule: 'access-imports', files: { 'server/src/access/a.ts': `import '../features/notes/notes.ts';\n` } },
  { rule: 'net-imports', files: { 'server/src/net/a.ts': `import '../db/database.ts';\n` } },
  { rule: 'storage-imports', files: { 'server/src/storage/a.ts': `import '../db/database.ts';\n` } },
  { rule: 'events-imports', files: { 'server/src/events/a.ts': `import '../features/notes/notes.ts';\n` } },
  {
    rule: 'store-imports',
    files: { 'server/src/features/notes/a.store.ts': `import '../../access/access.ts';\n` },
  },
  {
    rule: 'store-imports',
    files: { 'server/src/features/notes/queue/a.store.ts': `import '../../../access/access.ts';\n` },
  },
  {
    rule: 'domain-imports',
    files: { 'server/src/features/notes/queue/a.ts': `import '../../../http/server.ts';\n` },
  },
  { rule: 'routes-imports', files: { 'server/src/features/notes/a.routes.ts': `import '../right/a.ts';\n` } },
  {
    rule: 'routes-imports',
    files: { 'server/src/features/notes/b.routes.ts': `import '../../db/database.ts';\n` },
  },
  // Allowed as a type; the binding does not load HTTP.
  { rule: 'binding-imports', files: { 'server/src/binding/a.ts': `import '../http/server.ts';\n` } },
  {
    rule: 'driver-imports',
    files: { 'server/src/db/migrations/a.ts': `import type { append } from '../../events/log.ts';\n` },
  },
  {
    rule: 'fragment-imports',
    files: { 'server/src/features/notes/b.sql.ts': `import type { Notes } from './notes.ts';\n` },
  },
  { rule: 'domain-imports', files: { 'server/src/features/notes/c.ts': `import '../../http/server.ts';\n` } },
  {
    rule: 'http-imports',
    files: { 'server/src/http/a.ts': `type A = import('../features/notes/notes.ts').Notes;\n` },
  },
  { rule: 'workers-imports', files: { 'server/src/workers/a.ts': `import '../http/server.ts';\n` } },
  { rule: 'backup-imports', files: { 'server/src/backup/a.ts': `import '../http/server.ts';\n` } },
  {
    rule: 'shape-imports',
    files: { 'server/src/second-form/shapes/a.ts': `import '../../http/server.ts';\n` },
  },
  {
    rule: 'second-form-imports',
    files: { 'server/src/second-form/routes/a.ts': `import '../../http/server.ts';\n` },
  },
  { rule: 'realtime-imports', files: { 'server/src/realtime/a.ts': `import '../net/egress.ts';\n` } },
  { rule: 'undeclared-package', files: { 'contract/src/b.ts': `import 'pino';\n` } },
  { rule: 'contract-builtins', files: { 'contract/src/c.ts': `import 'node:path';\n` } },
  {
    rule: 'source-imports-test',
    files: { 'server/src/kernel/t.ts': `import '../../test/notes.test.ts';\n` },
  },
  { rule: 'router-in-http', files: { 'server/src/features/notes/d.ts': `import 'find-my-way';\n` } },
  { rule: 'undici-in-net', files: { 'server/src/workers/b.ts': `import 'undici';\n` } },
  { rule: 'sqlite-in-db', files: { 'server/src/features/notes/e.ts': `import 'node:sqlite';\n` } },
  { rule: 'kysely-in-sql', files: { 'server/src/workers/c.ts': `import type { Kysely } from 'kysely';\n` } },
  { rule: 'ws-in-realtime', files: { 'server/src/workers/f.ts': `import 'ws';\n` } },
  {
    rule: 'aws-in-bucket-client',
    files: { 'server/src/workers/h.ts': `await import('@aws-sdk/client-s3');\n` },
  },
  {
    rule: 'aws-in-bucket-client',
    files: { 'server/src/storage/b.ts': `await import('@aws-sdk/client-s3');\n` },
  },
  { rule: 'sharp-in-picture-process', files: { 'server/src/workers/g.ts': `import 'sharp';\n` } },
  {
    rule: 'mcp-in-protocol',
    files: { 'server/src/http/mcp/mcp.ts': `import '@modelcontextprotocol/server';\n` },
  },
  { rule: 'prom-client-in-metrics', files: { 'server/src/workers/i.ts': `import 'prom-client';\n` } },
  { rule: 'opentelemetry-in-traces', files: { 'server/src/workers/j.ts': `import '@opentelemetry/api';\n` } },
  {
    rule: 'store-private',
    files: { 'server/src/features/outer/a.ts': `import '../notes/notes.store.ts';\n` },
  },
  {
    rule: 'store-private',
    files: { 'server/src/features/outer/b.ts': `import '../notes/queue/queue.store.ts';\n` },
  },
  {
    rule: 'store-private',
    files: { 'server/src/features/notes/c.routes.ts': `import './notes.store.ts';\n` },
  },
  { rule: 'root-imported', files: { 'server/src/workers/d.ts': `import '../main/main.ts';\n` } },
  { rule: 'server-imports-command', files: { 'server/src/main/a.ts': `import '../commands/a.ts';\n` } },
  {
    rule: 'outside-package',
    files: { 'server/src/kernel/b.ts': `import '../../../contract/src/notes.ts';\n` },
  },
  { rule: 'unknown-place', files: { 'server/src/stray/a.ts': `export {};\n` } },
  { rule: 'unknown-place', files: { 'server/src/features/notes/queue/deep/a.ts': `export {};\n` } },
  { rule: 'computed-import', files: { 'server/src/workers/e.ts': `await import(String(1));\n` } },
  { rule: 'undeclared-package', files: { 'server/src/kernel/c.ts': `import 'pino';\n` } },
  {
    rule: 'unused-package',
    files: {
      'server/package.json': serverWith({
        '@aws-sdk/client-s3': '*',
        '@opentelemetry/api': '*',
        '@modelcontextprotocol/server': '*',
        'prom-client': '*',
        saxes: '*',
      }),
    },
  },
  // Declared, but absent where the program runs.
  { rule: 'undeclared-package', files: { 'server/src/kernel/d.ts': `import 'typescript';\n` } },
  {
    rule: 'no-feature-cycle',
    files: {
      'server/src/features/left/a.ts': `import '../right/a.ts';\n`,
      'server/src/features/right/a.ts': `export {};\n`,
      'server/src/features/right/b.ts': `import '../left/b.ts';\n`,
      'server/src/features/left/b.ts': `export {};\n`,
    },
  },
  { rule: 'no-orphan', files: { 'server/src/kernel/g.ts': `export {};\n` } },
];

const machinePath = ['', 'work', 'confab', 'data'].join('/');

/** Three methods of 50 lines of code each. */
const methodsOf = (separator: string) =>
  ['a', 'b', 'c'].map((name) => `  ${name}() {\n${'    Number(1);\n'.repeat(48)}  }${separator}\n`).join('');

const styleSeeds: readonly Seed[] = [
  {
    rule: 'bound-limit',
    files: { 'server/src/features/notes/g.store.ts': `import { q } from 'kysely';\nq.a.limit(1);\n` },
  },
  {
    rule: 'bound-limit',
    files: { 'server/src/db/limit.ts': `import { sql } from 'kysely';\nsql.a.limit(sql.val(1));\n` },
  },
  { rule: 'banned-folder', files: { 'server/src/kernel/utils/a.ts': `export {};\n` } },
  { rule: 'barrel-file', files: { 'server/src/db/index.ts': `export {};\n` } },
  { rule: 'machine-path', files: { 'docs/a.md': `Look into ${machinePath}.\n` } },
  { rule: 'machine-path', files: { 'proof/a.ts': `export const folder = '${machinePath}';\n` } },
  {
    rule: 'registry-host',
    files: { 'package-lock.json': `{ "resolved": "http://registry.local:4873/kysely.tgz" }\n` },
  },
  {
    rule: 'mock-library',
    files: { 'package.json': manifestWith({ sinon: '*' }) },
  },
  { rule: 'readme-commands', files: { 'README.md': 'Start with `npm ci && npm start`.\n' } },
  { rule: 'export-star', files: { 'server/src/db/star.ts': `export * from './database.ts';\n` } },
  {
    rule: 'default-export',
    files: { 'server/src/db/default.ts': `/** A. */\nexport default function a(): void {}\n` },
  },
  { rule: 'default-export', files: { 'server/src/db/value.ts': `export default 1;\n` } },
  {
    rule: 'empty-catch',
    files: { 'server/src/db/catch.ts': `try {\n  Number(1);\n} catch {\n  // Nothing to do.\n}\n` },
  },
  {
    rule: 'process-env',
    files: { 'server/src/db/environment.ts': `const { env } = process;\nenv;\nprocess['env'];\n` },
  },
  { rule: 'process-env', files: { 'server/src/db/settings.ts': `import { env } from 'node:process';\n` } },
  { rule: 'ambient-time', files: { 'server/src/events/time.ts': `const now = Date.now;\n` } },
  { rule: 'ambient-time', files: { 'server/src/events/date.ts': `const now = new Date();\n` } },
  { rule: 'ambient-random', files: { 'server/src/events/random.ts': `Math.random();\n` } },
  { rule: 'ambient-timer', files: { 'server/src/events/timer.ts': `globalThis.setTimeout(() => 1, 1);\n` } },
  { rule: 'ambient-timer', files: { 'server/src/events/sleep.ts': `import 'node:timers/promises';\n` } },
  { rule: 'way-out', files: { 'server/src/events/page.ts': `await fetch('http://a.example/');\n` } },
  {
    rule: 'way-out',
    files: { 'server/src/events/live.ts': `new globalThis.WebSocket('ws://a.example/');\n` },
  },
  {
    rule: 'way-out',
    files: { 'server/src/events/http.ts': `import { createServer, get } from 'node:http';\n` },
  },
  { rule: 'way-out', files: { 'server/src/events/tls.ts': `import * as tls from 'node:tls';\ntls;\n` } },
  {
    rule: 'way-out',
    files: { 'server/src/events/dns.ts': `const { lookup } = await import('node:dns');\n` },
  },
  {
    rule: 'way-out',
    files: {
      'server/src/events/built-in-get.ts': `export const { createServer, get } = process.getBuiltinModule('node:http');\n`,
    },
  },
  { rule: 'way-out', files: { 'server/src/events/built-in.ts': `process.getBuiltinModule('node:net');\n` } },
  {
    rule: 'way-out',
    files: {
      'server/src/events/socket.ts': `import { Socket } from 'node:net';\nnew Socket().connect(80);\n`,
    },
  },
  {
    rule: 'sql-raw',
    files: { 'server/src/features/notes/f.store.ts': `import { sql } from 'kysely';\nsql.raw('a');\n` },
  },
  {
    rule: 'forged-proof',
    files: {
      'server/src/features/notes/notes.ts': `import type { ReadableApp } from '../../access/access.ts';\n/** A. */\nexport const of = (app: object) => ({ app }) as { app: ReadableApp };\n`,
    },
  },
  {
    rule: 'positional-parameters',
    files: {
      'server/src/db/four.ts': `/** A. */\nexport function four(a: 1, b: 2, c: 3, d: 4) {\n  return [a, b, c, d];\n}\n`,
    },
  },
  {
    rule: 'long-function',
    files: {
      'server/src/db/long.ts': `/** A. */\nexport function long() {\n${'  Number(1);\n'.repeat(60)}}\n`,
    },
  },
  // None of the functions inside is long, nor what is around them.
  {
    rule: 'wide-state',
    files: {
      'server/src/db/wide.ts': `/** A. */\nexport function wide() {\n  return {\n${methodsOf(',')}  };\n}\n`,
    },
  },
  {
    rule: 'wide-state',
    files: { 'server/src/db/wide-class.ts': `/** A. */\nexport class Wide {\n${methodsOf('')}}\n` },
  },
  { rule: 'test-timer', files: { 'server/test/timer.ts': `setTimeout(() => 1, 1);\n` } },
  { rule: 'test-timer', files: { 'server/test/sleep.ts': `import 'node:timers/promises';\n` } },
  { rule: 'disabled-test', files: { 'server/test/skip.ts': `test.skip('a', () => assert(1));\n` } },
  { rule: 'disabled-test', files: { 'server/test/only.ts': `describe.only('a', () => {});\n` } },
  {
    rule: 'disabled-test',
    files: { 'server/test/todo.ts': `test('a', { todo: true }, () => assert(1));\n` },
  },
  { rule: 'disabled-test', files: { 'server/test/context.ts': `test('a', (t) => assert(t.skip()));\n` } },
  { rule: 'mock', files: { 'server/test/mock.ts': `import { mock } from 'node:test';\nmock.fn();\n` } },
  {
    rule: 'mock',
    files: { 'server/test/context-mock.ts': `test('a', (t) => assert(t.mock.method(console, 'log')));\n` },
  },
  {
    rule: 'test-without-assert',
    files: { 'server/test/green.ts': `test('a', async () => {\n  await Promise.all([]);\n});\n` },
  },
  { rule: 'history-comment', files: { 'server/src/db/history.ts': `// Previously a table of its own.\n` } },
  { rule: 'history-comment', files: { 'server/src/db/past.ts': `/* It used to be a table. */\n` } },
  {
    rule: 'history-comment',
    files: { 'server/src/db/gone.ts': `/**\n * The table is no\n * longer there.\n */\n` },
  },
  { rule: 'postponed-comment', files: { 'server/src/db/later.ts': `// Good enough for now.\n` } },
  {
    rule: 'postponed-comment',
    files: { 'server/src/db/todo.ts': `const todo = 1; // TODO: index\n// TODO(#12): index\n` },
  },
  { rule: 'section-banner', files: { 'server/src/db/banner.ts': `// ---------- Tables ----------\n` } },
  { rule: 'section-banner', files: { 'server/src/db/frame.ts': `/*\n * ======\n */\n` } },
  {
    rule: 'missing-docstring',
    files: { 'server/src/db/function.ts': `// Not a docstring.\nexport function a(): void {}\n` },
  },
  { rule: 'missing-docstring', files: { 'server/src/db/type.ts': `export type A = string;\n` } },
  { rule: 'missing-docstring', files: { 'server/src/db/listed.ts': `const a = 1;\nexport { a };\n` } },
  // Schemas describe themselves; functions of the contract do not.
  {
    rule: 'missing-docstring',
    files: { 'contract/src/function.ts': `export const a = (b: string) => b;\n` },
  },
];

/** Violations that the compiler and Biome find, each with what the step has to name. */
const toolSeeds = [
  { step: 'types', named: 'server/src/db/mistyped.ts(1,7): error TS2322', text: `const a: number = 'a';\n` },
  { step: 'format', named: 'server/src/db/misshapen.ts format', text: `/** A. */\nexport const a   = "a"\n` },
  {
    step: 'format',
    named: 'server/src/db/unsorted.ts',
    text: `import path from 'node:path';\nimport fs from 'node:fs';\n`,
  },
  { step: 'lint', named: 'suspicious/noExplicitAny', text: `/** A. */\nexport type A = any;\n` },
  { step: 'lint', named: 'style/noExcessiveLinesPerFile', text: '1;\n'.repeat(451) },
  { step: 'lint', named: 'style/noNonNullAssertion', text: `/** A. */\nexport const a = [1][0]!;\n` },
  { step: 'lint', named: 'correctness/noUnusedImports', text: `import path from 'node:path';\n` },
  { step: 'lint', named: 'correctness/noUnusedVariables', text: `const a = 1;\n` },
  {
    step: 'lint',
    named: 'style/useImportType',
    text: `import { Clock } from '../kernel/clock.ts';\n/** A. */\nexport type A = Clock;\n`,
  },
  { step: 'lint', named: 'nursery/noFloatingPromises', text: `async function a(): Promise<void> {}\na();\n` },
  {
    step: 'lint',
    named: 'server/src/kernel/e.ts:1:24 lint/suspicious/noImportCycles',
    text: `import type { F } from './f.ts';\n`,
  },
  {
    step: 'lint',
    named: 'server/src/kernel/f.ts:1:8 lint/suspicious/noImportCycles',
    text: `import './e.ts';\n`,
  },
  { step: 'unused', named: 'server/src/db/unused.ts', text: `/** A. */\nexport const a = 1;\n` },
].map((seed, index) => ({
  ...seed,
  path: /server\/src\/\S+?\.ts/.exec(seed.named)?.[0] ?? `server/src/db/tool-${index}.ts`,
}));

/** What a command answered: its exit code and everything it printed. */
interface Outcome {
  readonly code: number;
  readonly output: string;
}

const trees: string[] = [];
let clean: Outcome;
let seeded: Outcome;
let findings: { path: string; rule: string }[];
let rules: string[];

before(async () => {
  const seededTree = await plant({
    ...cleanTree,
    ...Object.fromEntries(toolSeeds.map((seed) => [seed.path, seed.text])),
    ...Object.assign({}, ...[...importSeeds, ...styleSeeds].map((seed) => seed.files)),
    'openapi.json': '{ "changed": "by hand" }\n',
    'console/src/main.tsx': 'document.title = 1;\n',
    'elements/src/elements.ts': 'document.title = 1;\n',
    'conformance/index.js': '/** @type {string} */\nexport const word = 1;\n',
  });
  let listed: Outcome;
  [clean, seeded, listed] = await Promise.all([
    plant(cleanTree).then((tree) => run('verify.ts', ['--static'], tree)),
    run('verify.ts', ['--static'], seededTree),
    run('tidy.ts', ['--rules'], seededTree),
  ]);
  const patterns = await Promise.all(plugins.map((file) => readFile(path.join(root, file), 'utf8')));
  rules = [
    ...[...listed.output.matchAll(/^(\S+) {2}/gm)].map(([, rule = '']) => rule),
    ...[...patterns.join('').matchAll(/message="([a-z-]+):/g)].map(([, rule = '']) => rule),
  ];
  // Those of tidy in a line each, those of Biome's plugins with the message below the place.
  const found = /^ +(\S+?):\d+(?: |:\d+ plugin .*\s+× )([a-z-]+):? \S/gm;
  findings = [...seeded.output.matchAll(found)].map(([, file = '', rule = '']) => ({ path: file, rule }));
});

after(async () => {
  await Promise.all(trees.map((tree) => rm(tree, { recursive: true })));
});

// A clean change passes, so that a failure always means something.
describe('the clean tree', () => {
  test('passes every static step', () => {
    assert.equal(clean.code, 0, clean.output);
    assert.match(clean.output, /verify passed/);
    for (const step of ['format', 'lint', 'types', 'imports', 'tidy', 'unused', 'generated']) {
      assert.match(clean.output, new RegExp(`^ok +${step} `, 'm'));
    }
  });
});

// Whatever breaks a rule fails verify under the name of that rule, and under no other.
describe('a seeded violation', () => {
  for (const seed of [...importSeeds, ...styleSeeds]) {
    const place = seed.at ?? Object.keys(seed.files)[0] ?? '';
    test(`of ${seed.rule} is named at ${place}`, () => {
      const named = findings.filter((found) => found.path === place).map((found) => found.rule);
      // Most seeds are loaded by nothing, so that they are orphans besides.
      const expected = named.filter((rule) => rule !== 'no-orphan' || seed.rule === 'no-orphan');
      assert.deepEqual([...new Set(expected)], [seed.rule], seeded.output);
    });
  }

  for (const seed of toolSeeds) {
    test(`fails the step ${seed.step} with ${seed.named}`, () => {
      const said = outputOf(seed.step);
      assert.ok(said.includes(seed.named) && said.includes(seed.path), said);
    });
  }

  test('fails verify after all static steps have run', () => {
    assert.equal(seeded.code, 1);
    assert.match(
      seeded.output,
      /^verify failed: format, lint, types, console, elements, conformance, imports, tidy, unused, generated$/m,
    );
  });

  test('exists for every rule', () => {
    const proven = new Set([...importSeeds, ...styleSeeds].map((seed) => seed.rule));
    assert.ok(rules.length > 0);
    assert.deepEqual(
      rules.filter((rule) => !proven.has(rule)),
      [],
    );
  });
});

// A step that cannot run is a failure, since otherwise deleting its script would make verify pass.
describe('a missing generator', () => {
  test('fails the step that compares generated files', async () => {
    const { 'tools/generate.ts': _, ...withoutGenerator } = cleanTree;
    const outcome = await run('verify.ts', ['--static'], await plant(withoutGenerator));
    assert.equal(outcome.code, 1);
    assert.match(outcome.output, /^FAIL generated /m);
    assert.match(outcome.output, /Cannot find module .*tools\/generate\.ts/);
  });
});

/** The manifest of the clean tree with these development dependencies. */
function manifestWith(devDependencies: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    name: 'skeleton',
    type: 'module',
    workspaces: ['server', 'contract'],
    devDependencies,
  });
}

/** The manifest of its server with these optional dependencies. */
function serverWith(optionalDependencies: Readonly<Record<string, string>>): string {
  const dependencies = { 'find-my-way': '*', kysely: '*', sharp: '*', typebox: '*', undici: '*', ws: '*' };
  return JSON.stringify({ name: 'skeleton-server', type: 'module', dependencies, optionalDependencies });
}

/** Writes the files to a new folder together with the real configuration and the installed packages. */
async function plant(files: Files): Promise<string> {
  const tree = await realpath(await mkdtemp(path.join(tmpdir(), 'confab-verify-')));
  trees.push(tree);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    await writeFile(path.join(tree, file), text);
  }
  for (const file of [
    'tsconfig.json',
    'console/tsconfig.json',
    'elements/tsconfig.json',
    'conformance/tsconfig.json',
    'proof/tsconfig.json',
    'biome.json',
    'knip.json',
    ...plugins,
  ]) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    await copyFile(path.join(root, file), path.join(tree, file));
  }
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  return tree;
}

/** Runs one of the real scripts on the tree. */
function run(script: string, args: readonly string[], tree: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'tools', script), ...args],
      { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
      },
    );
  });
}

/** What the seeded run printed below the line of one step. */
function outputOf(step: string): string {
  const block = new RegExp(`^FAIL ${step} [^]*?(?=^(?:ok|FAIL) |^verify )`, 'm').exec(seeded.output)?.[0];
  assert.ok(block !== undefined, seeded.output);
  return block;
}
