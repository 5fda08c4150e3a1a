import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, uploadOf } from '../harness/client.ts';
import { startConfab } from '../harness/confab-process.ts';

/**
 * Checks the system calls of a server against the promise that a write is on the disk before its response: between
 * reading a POST and writing its `HTTP/1.1 201`, a sync of the write-ahead log has succeeded. Killing a process cannot
 * show this, because the operating system keeps what the process wrote. The same applies to names: the name of a file
 * is on the disk only once its folder was synced, which must happen before a response that relies on the file.
 */

/** How many responses were checked, and how many of them came before their sync. */
export type Audit = { readonly answers: number; readonly early: number };

const sequential = 200;
const parallel = 200;
const connections = 16;

/** Whether strace is installed. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-V']).status === 0;
}

/** Creates comments under strace, one after the other and then many at once, and reads its output. */
export async function auditSyncs(folder: string, bug?: string): Promise<Audit> {
  const calls = 'read,write,writev,fsync,fdatasync';
  const trace = await traced(folder, { calls, shown: 40, bug }, async (client) => {
    const app = await client.create('/api/apps', { uid: 'audit', type: 'comments' });
    const post = (n: number) => client.create(`/api/apps/${app}/comments`, { text: `comment ${n}` });
    for (let n = 0; n < sequential; n += 1) await post(n);
    await Promise.all(Array.from({ length: parallel }, (_, n) => post(n)));
  });
  return readTrace(trace);
}

/** The output of strace for a server while `work` sends requests to it, with `shown` bytes of each text. */
async function traced(
  folder: string,
  { calls, shown, bug }: { calls: string; shown: number; bug?: string | undefined },
  work: (client: Client) => Promise<void>,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const trace = join(folder, 'trace');
  await using server = await startConfab({
    folder,
    under: ['strace', '-f', '-y', '-s', String(shown), '-e', `trace=${calls}`, '-o', trace],
    // None of the folders on the path to the data exists.
    settings: { CONFAB_LOG_LEVEL: 'warn', CONFAB_DATA_DIR: join(folder, 'above/next/data') },
    plant: bug,
  });
  await using client = new Client(server, { connections });
  await work(client);
  await server.kill();
  return readFileSync(trace, 'utf8');
}

/**
 * How many names a server created in its data folder, and which of them were not on the disk before the next response.
 */
export type NameAudit = { readonly names: number; readonly early: readonly string[] };

/**
 * Makes a server create its data folder, an upload and the first key for secrets, and checks that the folder of each
 * name was synced before the response that relies on it.
 */
export async function auditNames(folder: string): Promise<NameAudit> {
  const trace = await traced(folder, { calls: nameCalls, shown: 400 }, async (client) => {
    await client.must('POST', '/api/blobs', uploadOf('a.txt', 'some text'));
    const hook = { payload_url: 'https://example.com/', triggers: ['apps'], secret: 'sealed' };
    await client.must('POST', '/api/webhooks', hook);
  });
  return readNames(trace, folder);
}

/** The system calls that create a name in a folder, make names durable, and respond. */
const nameCalls = 'mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,write,writev';
const named = /^\d+\s+(?:mkdir|rename|link)\w*\(.*"([^"]+)"[^"]*\) += 0$/;
const synced = /^\d+\s+fsync\(\d+<([^>]*)>\) += 0$/;
const answered = /^\d+\s+writev?\(.*"HTTP\/1\.1 20[01]/;
const cutOff = /^(\d+)\s+(.*) <unfinished \.\.\.>$/;
const goneOn = /^(\d+)\s+<\.\.\. \w+ resumed>(.*)$/;

/** The names that nothing relies on after a power cut: unfinished files, and the address of the server that ran. */
const fleeting = /\/blobs\/tmp|\/server\.address$/;

/** Reads the names below `folder`, except fleeting ones. */
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
    if (name?.startsWith(folder) === true && !fleeting.test(name)) {
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

/** Reads the lines in order; a call that another thread's line splits counts where it ends. */
function readTrace(text: string): Audit {
  /** Connections whose POST was read but has no response, and whether a sync has followed. */
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
