import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ConfabProcess, freshKey, startConfab } from '../harness/confab-process.ts';
import { commentBodies } from './comment-texts.ts';

/** A process that is measured. */
export type Server = { readonly url: string; readonly pid: number; stop(): Promise<void> };

/** Starts Fastify alone on the comments in `listFile`. */
export async function startBare(listFile: string): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), listFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { pid } = child;
  if (pid === undefined) throw new Error('the bare server has no process id');
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      url: line,
      pid,
      async stop() {
        child.kill();
        await gone;
      },
    };
  }
  throw new Error('the bare server ended before it listened');
}

/** A Confab with one user who has made some apps, and comments in the last of them. */
export type SeededConfab = ConfabProcess & {
  /** The token of the user. */
  readonly token: string;
  readonly appIds: readonly number[];
  readonly listedAppId: number;
  readonly commentIds: readonly number[];
};

/** How many apps the writes are spread over. */
export const appCount = 50;
/** How many comments the listed app has. */
export const listedComments = 1000;
/** How many requests are under way at once while the content is made. */
const seedersMax = 50;

/** Starts Confab with its default settings on an empty folder, its request log going to a file there. */
export async function startEmptyConfab(
  folder: string,
  nodeArguments: readonly string[],
): Promise<ConfabProcess> {
  mkdirSync(folder, { recursive: true });
  const settings = { CONFAB_EGRESS_ALLOW: '127.0.0.0/8' };
  const logFile = join(folder, 'server.log');
  return await startConfab({ folder, key: freshKey(), logFile, nodeArguments, settings });
}

/** Fills a Confab through its interface, as its clients would. */
export async function seed(server: ConfabProcess): Promise<SeededConfab> {
  await call(server, 'PUT', '/api/users/writer', JSON.stringify({ name: 'Writer' }));
  const issued = await call<{ access_token: string }>(server, 'POST', '/api/users/writer/tokens');
  const user = { url: server.url, key: issued.access_token };
  const appIds: number[] = [];
  for (let i = 0; i <= appCount; i += 1) {
    const body = JSON.stringify({ uid: `bench-${i}`, type: 'comments', access: 'write' });
    appIds.push((await call<{ id: number }>(user, 'POST', '/api/apps', body)).id);
  }
  const listedAppId = appIds.pop() ?? 0;
  const commentIds: number[] = [];
  const bodies = commentBodies(listedComments);
  let made = 0;
  await Promise.all(
    Array.from({ length: seedersMax }, async () => {
      while (made < listedComments) {
        const body = bodies[made];
        made += 1;
        const path = `/api/apps/${listedAppId}/comments`;
        commentIds.push((await call<{ id: number }>(user, 'POST', path, body)).id);
      }
    }),
  );
  return { ...server, token: user.key, appIds, listedAppId, commentIds };
}

/** One request with a credential; throws unless it is answered with a 2xx. */
export async function call<T>(
  server: { url: string; key: string },
  method: string,
  path: string,
  body?: string,
): Promise<T> {
  const response = await fetch(server.url + path, {
    method,
    headers: headersOf(server.key, body !== undefined),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** The headers of a request with a credential. */
export function headersOf(credential: string, hasBody: boolean): Record<string, string> {
  const type: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {};
  return { authorization: `Bearer ${credential}`, ...type };
}

/** A receiver of webhooks that answers at once and counts what it got. */
export type Receiver = { readonly url: string; received(): number; close(): void };

/** Starts a receiver in this process, which has little else to do while a load runs. */
export async function startReceiver(): Promise<Receiver> {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
