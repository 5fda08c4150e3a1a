import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { cpuUsOf, memoryMbOf, peakMemoryMbOf } from 'confab-testing/harness/process-usage.ts';
import type { Polled } from './poller.ts';
import type { Usage } from './probe.ts';

/** A request as it goes over the wire. */
export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

/** What one request cost the server. */
export type Cost = {
  readonly status: number;
  /** Until the whole answer was there, in milliseconds. */
  readonly answeredMs: number;
  /** Processor time of the server until it was idle again, without what the polling takes, in milliseconds. */
  readonly cpuMs: number;
  /** The longest wait of `/healthz` meanwhile, in milliseconds. */
  readonly waitMs: number;
  /** The longest that the event loop was held meanwhile, in milliseconds. */
  readonly heldMs: number;
  /** The answer without its headers. */
  readonly bytes: number;
  /** By how much the most memory was above what there was before, in MB. */
  readonly memoryMb: number;
  /** The same two of the process that decodes pictures, where it ran. */
  readonly pictures: { readonly cpuMs: number; readonly memoryMb: number } | undefined;
};

/** Answers that go on for ever are cut off after this. */
const answerMsMax = 1500;
/** How long the server has to be idle before the next request, and until one counts as done: crowds are notified in parts. */
const idleMs = { before: 30, afterRead: 60, afterChange: 400 } as const;
const stepMs = 30;
/** Longer than any work that one request leaves behind should take. */
const settleMsMax = 20_000;
/** The part of a processor that is used where nothing but the polling is going on. */
const idleShare = 0.35;

/** Measures requests to one server, one after the other. */
export class Meter {
  readonly #pid: number;
  readonly #url: string;
  readonly #probe: Socket;
  readonly #poller: Worker;
  /** Processor time of the server for each poll, in milliseconds. */
  #pollMs = 0;

  private constructor(options: { pid: number; url: string; probe: Socket; poller: Worker }) {
    this.#pid = options.pid;
    this.#url = options.url;
    this.#probe = options.probe;
    this.#poller = options.poller;
  }

  /** Begins to poll and finds out what that alone costs. */
  static async start(server: { pid: number; url: string }, probePath: string): Promise<Meter> {
    const probe = connect(probePath);
    const poller = new Worker(new URL('./poller.ts', import.meta.url), { workerData: { url: server.url } });
    const meter = new Meter({ ...server, probe, poller });
    await pause(1000);
    await meter.#calibrate();
    return meter;
  }

  async close(): Promise<void> {
    this.#probe.destroy();
    await this.#poller.terminate();
  }

  async #calibrate(): Promise<void> {
    await this.#polled();
    const before = await usageOf(this.#probe);
    await pause(1000);
    const after = await usageOf(this.#probe);
    this.#pollMs = (after.cpuUs - before.cpuUs) / 1000 / (await this.#polled()).polls;
  }

  async #polled(): Promise<Polled> {
    const answer = once(this.#poller, 'message');
    this.#poller.postMessage('?');
    const [polled] = (await answer) as [Polled];
    return polled;
  }

  /** Resolves when the server and its process for pictures have nothing left to do; returns its usage then. */
  async #settled(quietMsMin: number): Promise<{ usage: Usage; heldMs: number }> {
    const until = performance.now() + settleMsMax;
    let [usage, heldMs, quietMs] = [await usageOf(this.#probe), 0, 0];
    heldMs = usage.heldMs;
    while (quietMs < quietMsMin && performance.now() < until) {
      const [cpuUs, picturesUs, at] = [usage.cpuUs, pictureUsage(this.#pid)?.cpuUs ?? 0, performance.now()];
      await pause(stepMs);
      usage = await usageOf(this.#probe);
      heldMs = Math.max(heldMs, usage.heldMs);
      const passedMs = performance.now() - at;
      const isQuiet =
        (usage.cpuUs - cpuUs) / 1000 < passedMs * idleShare &&
        (pictureUsage(this.#pid)?.cpuUs ?? 0) - picturesUs < 10_001;
      quietMs = isQuiet ? quietMs + passedMs : 0;
    }
    return { usage, heldMs };
  }

  /** Sends a request to a server at rest and waits until it rests again. */
  async measure(sent: Sent): Promise<Cost> {
    await this.#settled(idleMs.before);
    resetPeak(this.#pid);
    const picturesBefore = pictureUsage(this.#pid);
    if (picturesBefore !== undefined) resetPeak(picturesBefore.pid);
    const memoryBefore = memoryMbOf(this.#pid) ?? 0;
    await this.#polled();
    const [before, startedAt] = [await usageOf(this.#probe), performance.now()];
    const answer = await send(this.#url, sent);
    const answeredMs = performance.now() - startedAt;
    const hasChanged = sent.method !== 'GET' && answer.status < 300;
    const { usage, heldMs } = await this.#settled(hasChanged ? idleMs.afterChange : idleMs.afterRead);
    const { polls, longestMs } = await this.#polled();
    const pictures = pictureUsage(this.#pid);
    return {
      ...answer,
      answeredMs,
      cpuMs: Math.max(0, (usage.cpuUs - before.cpuUs) / 1000 - polls * this.#pollMs),
      waitMs: longestMs,
      heldMs,
      memoryMb: Math.max(0, (peakMemoryMbOf(this.#pid) ?? 0) - memoryBefore),
      pictures:
        pictures === undefined || pictures.cpuUs === picturesBefore?.cpuUs
          ? undefined
          : {
              cpuMs: (pictures.cpuUs - (picturesBefore?.cpuUs ?? 0)) / 1000,
              memoryMb: peakMemoryMbOf(pictures.pid) ?? 0,
            },
    };
  }
}

/** What a server has used since its probe was last asked. */
export async function usageOf(probe: Socket): Promise<Usage> {
  const answer = once(probe, 'data');
  probe.write('?\n');
  return JSON.parse(String(await answer)) as Usage;
}

/** Sends a request and reads its answer without keeping it. */
export async function send(
  url: string,
  { method, path, headers, body }: Sent,
): Promise<{ status: number; bytes: number }> {
  return await new Promise((answered, failed) => {
    let hasAnswer = false;
    const length = body === undefined ? {} : { 'content-length': body.length };
    const request = httpRequest(
      url + path,
      { method, headers: { ...headers, ...length }, agent: false },
      (response) => {
        hasAnswer = true;
        let bytes = 0;
        const isEndless = /event-stream/.test(response.headers['content-type'] ?? '');
        if (isEndless) setTimeout(() => request.destroy(), answerMsMax);
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('close', () => answered({ status: response.statusCode ?? 0, bytes }));
      },
    );
    // A server may refuse a body before all of it was sent.
    request.on('error', (error) => (hasAnswer ? undefined : failed(error)));
    request.end(body);
  });
}

/** Makes the kernel forget how much memory a process has had at most. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The process for pictures: the one child of the server. */
function pictureUsage(pid: number): { pid: number; cpuUs: number } | undefined {
  for (const task of readdirSync(`/proc/${pid}/task`))
    for (const child of childrenOf(pid, task)) {
      const cpuUs = cpuUsOf(child);
      if (cpuUs !== undefined) return { pid: child, cpuUs };
    }
  return undefined;
}

function childrenOf(pid: number, task: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8');
    return text
      .split(' ')
      .filter((each) => each !== '')
      .map(Number);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
