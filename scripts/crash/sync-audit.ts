import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, uploadOf } from '../harness/client.ts';
import { startConfab } from '../harness/confab-process.ts';

/**
 * Holds the system calls of a server against the promise that a write is on the disk before it is answered: between
 * reading a POST and writing its `HTTP/1.1 201` there is a sync of the write-ahead log that succeeded. Killing a
 * process cannot show this, because the operating system keeps what the process wrote. The same goes for names: a file
 * that an answer counts on has its name on the disk once the folder that holds it was synced.
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
export async function auditSyncs(folder: string, bug?: string): Promise<Audit> {
  const calls = 'read,write,writev,fsync,fdatasync';
  const trace = await traced(folder, { calls, shown: 40, bug }, async (client) => {
    const app = await client.must('POST', '/api/apps', { uid: 'audit', type: 'comments' });
    const post = (n: number) =>
      client.must('POST', `/api/apps/${app['id']}/comments`, { text: `comment ${n}` });
    for (let n = 0; n < sequential; n += 1) await post(n);
    await Promise.all(Array.from({ length: parallel }, (_, n) => post(n)));
  });
  return readTrace(trace);
}

/** What strace shows of the calls of a server while `work` sends requests to it, `shown` bytes of each text. */
async function traced(
  folder: string,
  { calls, shown, bug }: { calls: string; shown: number; bug?: string | undefined },
  work: (client: Client) => Promise<void>,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const trace = join(folder, 'trace');
  const server = await startConfab({
    folder,
    under: ['strace', '-f', '-y', '-s', String(shown), '-e', `trace=${calls}`, '-o', trace],
    // None of the folders down to the data is there.
    settings: { CONFAB_LOG_LEVEL: 'warn', CONFAB_DATA_DIR: join(folder, 'above/next/data') },
    plant: bug === undefined ? undefined : [bug],
  });
  const client = new Client(server, { connections });
  await work(client);
  await client.close();
  await server.kill();
  return readFileSync(trace, 'utf8');
}

/** How many names a server has put into its data folder, and which of them were not on the disk before the next answer. */
export type NameAudit = { readonly names: number; readonly early: readonly string[] };

/**
 * Has a server make its data folder, an upload and the first key for secrets, each ahead of the answer that counts on
 * it, and reads whether the folder of each name was synced before that answer.
 */
export async function auditNames(folder: string): Promise<NameAudit> {
  const trace = await traced(folder, { calls: nameCalls, shown: 400 }, async (client) => {
    await client.must('POST', '/api/blobs', uploadOf('a.txt', 'some text'));
    const hook = { payload_url: 'https://example.com/', triggers: ['apps'], secret: 'sealed' };
    await client.must('POST', '/api/webhooks', hook);
  });
  return readNames(trace, folder);
}

/** Calls that put a name into a folder, that make names durable, and that answer. */
const nameCalls = 'mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,write,writev';
const named = /^\d+\s+(?:mkdir|rename|link)\w*\(.*"([^"]+)"[^"]*\) += 0$/;
const synced = /^\d+\s+fsync\(\d+<([^>]*)>\) += 0$/;
const answered = /^\d+\s+writev?\(.*"HTTP\/1\.1 20[01]/;
const cutOff = /^(\d+)\s+(.*) <unfinished \.\.\.>$/;
const goneOn = /^(\d+)\s+<\.\.\. \w+ resumed>(.*)$/;

/** Reads the names below `folder`, but for those in the folder of what is not done. */
function readNames(text: string, folder: string): NameAudit {
  const waiting = new Map<string, string[]>();
  const beginnings = new Map<string, string>();
  const early: string[] = [];
  let names = 0;
  for (const part of text.split('\n')) {
    const cut = cutOff.exec(part);
    if (cut !== null) beginnings.set(cut[1] ?? '', part.slice(0, -' <unfinished ...>'.length));
    const rest = goneOn.exec(part);
    const line = rest === null ? part : `${beginnings.get(rest[1] ?? '')}${rest[2]}`;
    const name = named.exec(line)?.[1];
    if (name?.startsWith(folder) === true && !name.includes('/blobs/tmp')) {
      names += 1;
      waiting.set(dirname(name), [...(waiting.get(dirname(name)) ?? []), name]);
    }
    waiting.delete(synced.exec(line)?.[1] ?? '');
    if (answered.test(line)) {
      early.push(...[...waiting.values()].flat());
      waiting.clear();
    }
  }
  return { names, early };
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
