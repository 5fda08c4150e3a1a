import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshKey, startConfab } from '../harness/confab-process.ts';
import { Connection } from './connection.ts';

/**
 * Holds the system calls of a server against the promise that a write is on the disk before it is answered: between
 * reading a POST and writing its `HTTP/1.1 201` there is a sync of the write-ahead log that succeeded. Killing a
 * process cannot show this, because the operating system keeps what the process wrote.
 */

/** How many answers were looked at and how many of them came before their sync. */
export type Audit = { readonly answers: number; readonly early: number };

const sequential = 200;
const parallel = 200;
const connections = 16;

/** Whether the program that shows system calls is installed. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-V']).status === 0;
}

/** Creates comments one after the other and then many at once under strace, and reads what it saw. */
export async function auditSyncs(folder: string, entry?: readonly [string, ...string[]]): Promise<Audit> {
  mkdirSync(folder, { recursive: true });
  const trace = join(folder, 'trace');
  const calls = 'trace=read,write,writev,fsync,fdatasync';
  const server = await startConfab({
    folder,
    key: freshKey(),
    logFile: join(folder, 'server.log'),
    under: ['strace', '-f', '-y', '-s', '40', '-e', calls, '-o', trace],
    settings: { CONFAB_LOG_LEVEL: 'warn' },
    ...(entry === undefined ? {} : { entry }),
  });
  const connection = new Connection(server.url, connections);
  const post = async (path: string, body: unknown) => {
    const reply = await connection.send('POST', path, server.key, { body });
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}`);
    return reply.body.id;
  };
  const path = `/api/apps/${await post('/api/apps', { uid: 'audit', type: 'comments' })}/comments`;
  for (let i = 0; i < sequential; i += 1) await post(path, { text: `comment ${i}` });
  await Promise.all(Array.from({ length: parallel }, (_, index) => post(path, { text: `comment ${index}` })));
  await connection.close();
  await server.kill();
  return readTrace(readFileSync(trace, 'utf8'));
}

const begun = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*)$/;
const resumed = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)$/;

/** Reads the lines in their order; a call that another thread's line cuts in two counts where it ends. */
function readTrace(text: string): Audit {
  /** Connections whose POST was read and not answered, and whether a sync came since. */
  const waiting = new Map<string, boolean>();
  const cut = new Map<string, { name: string; fd: string; file: string }>();
  let answers = 0;
  let early = 0;
  for (const line of text.split('\n')) {
    const start = begun.exec(line);
    const rest = resumed.exec(line);
    const thread = start?.[1] ?? rest?.[1] ?? '';
    const call =
      start === null
        ? cut.get(`${thread} ${rest?.[2]}`)
        : { name: start[2] ?? '', fd: start[3] ?? '', file: start[4] ?? '' };
    if (call === undefined) continue;
    const tail = start?.[5] ?? rest?.[3] ?? '';
    const isCut = tail.endsWith('<unfinished ...>');
    if (isCut) cut.set(`${thread} ${call.name}`, call);
    if (call.name === 'read' && tail.includes('"POST ')) waiting.set(call.fd, false);
    if (call.name.endsWith('sync') && call.file.endsWith('-wal') && / = 0$/.test(tail) && !isCut)
      for (const fd of waiting.keys()) waiting.set(fd, true);
    if (call.name.startsWith('write') && tail.includes('"HTTP/1.1 201')) {
      answers += 1;
      if (waiting.get(call.fd) !== true) early += 1;
      waiting.delete(call.fd);
    }
  }
  return { answers, early };
}
