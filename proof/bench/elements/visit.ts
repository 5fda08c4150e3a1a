import { setTimeout as pause } from 'node:timers/promises';
import { newContext } from 'confab-testing/browser/browser.ts';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Contender } from './contenders.ts';

/** A telephone on a slow line: a fourth of the processor, 1.6 Mbit/s either way, and 150 ms for each request. */
const throttled = { cpu: 4, latencyMs: 150, bytesPerSecond: 1_600_000 / 8 } as const;

/** How long nothing was requested when a page has loaded, in milliseconds. */
const quietMs = 2000;
const stepMs = 100;
/** How long comments are waited for. */
const patienceMs = 240_000;

/** A request of a page, as the browser reports it. */
export type Requested = {
  readonly url: string;
  /** `Document`, `Script`, `Stylesheet`, `Fetch`, `Image`, `Preflight` and so on. */
  readonly type: string;
  /** When it was sent, in milliseconds since that of the page itself. */
  readonly sentMs: number;
  /** When all of its answer was there, on the same clock. */
  doneMs: number;
  /** The size of the body as it was sent. */
  bytes: number;
};

/** A page in a browser profile of its own. At the end of a scope with `await using` both are closed. */
export type Visit = AsyncDisposable & {
  readonly page: Page;
  readonly requests: readonly Requested[];
  /** Resolves when a number of texts has been painted, to the milliseconds since the navigation began. Asks for more where there are fewer. */
  shown(count: number): Promise<number>;
  /** Resolves when nothing has been requested for two seconds. */
  quiet(): Promise<void>;
  /** A figure of the browser, after its garbage was collected where `isSwept`. */
  metrics(options?: { readonly isSwept?: boolean }): Promise<{ readonly [name: string]: number }>;
  /** The sum of all layout shifts so far. */
  shifts(): Promise<number>;
  /** Starts a profile of the processor, which costs time itself. */
  startProfile(): Promise<void>;
  /** Ends the profile and returns it, in the form that the tools of browsers open. */
  endProfile(): Promise<object>;
};

/**
 * What each page counts by itself. A text is painted in the frame after the one that has laid it out. The numbers of texts
 * that are waited for are few, so looking at each frame costs all contenders the same little.
 */
const inPage = ({ comments, textOf, more, isRepeated }: Contender) => `globalThis.bench = {
  shifts: 0,
  async shown(count) {
    for (let asked = -1; ; await new Promise(requestAnimationFrame)) {
      const comments = ${comments};
      const comment = comments[count - 1];
      if (comment !== undefined && ${textOf}?.getBoundingClientRect().height > 0) break;
      if (performance.now() > ${patienceMs}) throw new Error('there are ' + comments.length + ' comments');
      if (comments.length > 0 && comments.length % 25 === 0 && (${isRepeated} || asked !== comments.length)) {
        asked = comments.length;
        ${more};
      }
    }
    await new Promise(requestAnimationFrame);
    return performance.now();
  },
};
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) bench.shifts += value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** Opens a page in a browser that knows nothing of it. */
export async function visit(
  browser: Browser,
  contender: Contender,
  { url, isThrottled = true }: { readonly url: string; readonly isThrottled?: boolean },
): Promise<Visit> {
  const context = await newContext(browser, { viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  const requests = await watchRequests(protocol);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  if (isThrottled) {
    const { cpu, latencyMs, bytesPerSecond } = throttled;
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    await protocol.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  }
  await page.addInitScript(inPage(contender));
  await page.goto(url, { waitUntil: 'commit' });
  return {
    page,
    requests,
    shown: async (count) => Number(await page.evaluate(`bench.shown(${count})`)),
    async quiet() {
      for (let known = -1, since = 0; since < quietMs; since += stepMs) {
        if (requests.length !== known) since = 0;
        known = requests.length;
        await pause(stepMs);
      }
    },
    async metrics({ isSwept = false } = {}) {
      // What a finalizer lets go is collected by the next turn.
      for (let turn = 0; isSwept && turn < 3; turn += 1) await protocol.send('HeapProfiler.collectGarbage');
      const { metrics } = await protocol.send('Performance.getMetrics');
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    },
    shifts: async () => Number(await page.evaluate('bench.shifts')),
    async startProfile() {
      await protocol.send('Profiler.enable');
      await protocol.send('Profiler.start');
    },
    endProfile: async () => (await protocol.send('Profiler.stop')).profile,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Notes all requests of a page from now on, with those that ask whether another may be sent. */
async function watchRequests(protocol: CDPSession): Promise<Requested[]> {
  const requests: Requested[] = [];
  const byId = new Map<string, Requested>();
  const headerBytes = new Map<string, number>();
  let startedAt: number | undefined;
  protocol.on('Network.requestWillBeSent', ({ requestId, request: { url }, type = 'Other', timestamp }) => {
    if (!url.startsWith('http')) return;
    startedAt ??= timestamp;
    const requested = {
      url,
      type,
      sentMs: (timestamp - startedAt) * 1000,
      doneMs: Number.POSITIVE_INFINITY,
      bytes: 0,
    };
    requests.push(requested);
    byId.set(requestId, requested);
  });
  protocol.on('Network.webSocketCreated', ({ url }) => {
    const never = Number.POSITIVE_INFINITY;
    requests.push({ url, type: 'WebSocket', sentMs: never, doneMs: never, bytes: 0 });
  });
  protocol.on('Network.responseReceived', ({ requestId, response }) => {
    headerBytes.set(requestId, response.encodedDataLength);
  });
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const requested = byId.get(requestId);
    if (requested === undefined) return;
    requested.bytes = encodedDataLength - (headerBytes.get(requestId) ?? 0);
    requested.doneMs = (timestamp - (startedAt ?? timestamp)) * 1000;
  });
  await protocol.send('Network.enable');
  return requests;
}
