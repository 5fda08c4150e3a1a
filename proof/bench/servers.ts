import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import {
  type ConfabOptions,
  type ConfabProcess,
  startConfab,
} from 'confab-testing/harness/confab-process.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import { commentTexts } from './comment-texts.ts';

/** A process that is measured. */
export type Server = {
  readonly url: string;
  readonly pid: number;
  /** From starting the process until it listens. */
  readonly readyMs: number;
  stop(): Promise<void>;
};

/** Starts Fastify alone on the comments in `listFile`; its log goes to `logFile`. */
export function startBare(listFile: string, logFile: string): Promise<Server> {
  return startProgram('bare-server.ts', [listFile, logFile]);
}

/** Starts Fastify alone with one route. */
export function startHello(): Promise<Server> {
  return startProgram('hello-server.ts', []);
}

/** Starts `node:http` alone, which answers everything with the bytes of a file. */
export function startPlain(file: string): Promise<Server> {
  return startProgram('plain-server.ts', [file]);
}

/** Starts the floor on its folder (`floors.ts`). */
export function startFloor(folder: string): Promise<Server> {
  return startProgram('floor-server.ts', [folder]);
}

/** Starts a program of this folder, which prints the address at which it listens. */
async function startProgram(name: string, args: readonly string[]): Promise<Server> {
  // The young generation of `confab serve` has this size as well.
  const startedAt = performance.now();
  const flags = ['--max-semi-space-size=8', join(import.meta.dirname, name)];
  const child = spawn(process.execPath, [...flags, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} has no process id`);
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      url: line,
      pid,
      readyMs: performance.now() - startedAt,
      async stop() {
        child.kill();
        await gone;
      },
    };
  }
  throw new Error(`${name} ended before it listened`);
}

/** A Confab with one user who has made some apps with comments, and one with many more. */
export type SeededConfab = ConfabProcess & {
  /** The token of the user. */
  readonly token: string;
  readonly appIds: readonly number[];
  readonly listedAppId: number;
  /** An app with threads of four comments. */
  readonly threadedAppId: number;
  readonly commentIds: readonly number[];
};

/** How many apps the writes and the lists that never repeat are spread over. */
export const appCount = 1000;
/** How many comments each of them has. */
export const appComments = 40;
/** How many threads the app with threads has, and how many answers each. */
export const threadCount = 200;
const answersEach = 3;
/** How many comments the listed app has. */
export const listedComments = 1000;
/** How many requests are under way at once while the content is made. */
const seedersMax = 50;

/** Starts Confab with its default settings on an empty folder, its request log going to a file there. */
export async function startEmptyConfab(options: Omit<ConfabOptions, 'settings'>): Promise<ConfabProcess> {
  return await startConfab({ ...options, settings: { CONFAB_EGRESS_ALLOW: '127.0.0.0/8' } });
}

/** Fills a Confab through its interface, as its clients would. */
export async function seed(server: ConfabProcess): Promise<SeededConfab> {
  const client = new Client(server, { connections: seedersMax });
  await client.must('PUT', '/api/users/writer', { name: 'Writer' });
  const token = await issueToken(client, 'writer');
  const create = (path: string, body: object) => client.create(path, body, token);
  const many = (count: number, make: (index: number) => Promise<number>) =>
    inParallel({ count, atOnce: seedersMax }, make);
  const body = (uid: string) => ({ uid, type: 'comments', access: 'write' });
  const listedAppId = await create('/api/apps', { ...body('listed'), visitors: 'read' });
  const threadedAppId = await create('/api/apps', body('threaded'));
  const made = await many(appCount, (index) => create('/api/apps', body(`bench-${index}`)));
  // Requests of the same moment arrive in any order.
  const appIds = made.sort((one, other) => one - other);
  const texts = commentTexts(2 * listedComments);
  const comment = (appId: number | undefined, index: number) =>
    create(`/api/apps/${appId}/comments`, { text: texts[index % texts.length] });
  await many(appCount * appComments, (index) => comment(appIds[index % appCount], index));
  const commentIds = await many(listedComments, (index) => comment(listedAppId, index));
  const threaded = `/api/apps/${threadedAppId}/comments`;
  await many(threadCount, async (index) => {
    const root = await comment(threadedAppId, index);
    for (let answer = 0; answer < answersEach; answer += 1)
      await create(threaded, { text: texts[index], reply_to: root });
    return root;
  });
  await client.close();
  return { ...server, token, appIds, listedAppId, threadedAppId, commentIds };
}

/** The headers of a request with a credential. */
export function headersOf(credential: string, hasBody: boolean): Record<string, string> {
  const type: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {};
  return { authorization: `Bearer ${credential}`, ...type };
}
