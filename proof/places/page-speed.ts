import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { Client } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, startConfab } from 'confab-testing/harness/confab-process.ts';
import { median } from 'confab-testing/harness/figures.ts';
import type { Suite } from 'confab-testing/harness/suite.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Browser, CDPSession } from 'playwright-core';
import { makeQuote } from '../../elements/src/annotations/place.ts';
import { alice, makeCorpus } from '../../elements/test/annotations/corpus.ts';
import { openElements } from '../../elements/test/browser/page.ts';

/** How long a page takes to place the threads of a long text, in Chromium with a fourth of the processor. */

const threads = 200;
/** By how much the processor is slowed. */
const slowing = 4;
/** The longest that placing all threads and one task of it may take, in milliseconds. */
const allMsMax = 150;
const taskMsMax = 50;

/** The text of the page, one paragraph a line: 20,000 words. */
const text = alice
  .split(/\n\s*\n/)
  .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
  .join('\n');

/** What one opening of a page has shown. */
type Placing = {
  readonly marked: number;
  /** From when the last thread had arrived until all were marked. */
  readonly allMs: number;
  /** The longest time between two turns of the event loop until the marks were painted. */
  readonly taskMs: number;
  /** The tasks of more than 50 ms of which the browser tells, each in milliseconds. */
  readonly longTasks: readonly number[];
};

/** Notes in the page when the marks are set, and how long each turn of the event loop takes. */
const watch = `
globalThis.placing = { turns: [], longTasks: [] };
const { highlights } = CSS;
const set = highlights.set.bind(highlights);
highlights.set = (name, highlight) => {
  set(name, highlight);
  if (name !== 'confab-open' || placing.at !== undefined) return;
  placing.at = performance.now();
  placing.marked = highlight.size;
  requestAnimationFrame(() => requestAnimationFrame(() => (placing.paintedAt = performance.now())));
};
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) placing.longTasks.push({ at: startTime, ms: duration });
}).observe({ type: 'longtask', buffered: true });
const { port1, port2 } = new MessageChannel();
let before = performance.now();
port1.onmessage = () => {
  const now = performance.now();
  if (now - before > 2) placing.turns.push({ at: before, ms: now - before });
  before = now;
  if (placing.paintedAt === undefined) port2.postMessage(undefined);
};
port2.postMessage(undefined);`;

/** Reads what the page has noted, from when the last list of threads had arrived. */
const read = `(() => {
  const lists = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/comments?anchor='));
  const from = Math.max(...lists.map(({ responseEnd }) => responseEnd).filter((at) => at < placing.at));
  const meanwhile = ({ at, ms }) => at + ms > from && at < placing.paintedAt;
  return {
    marked: placing.marked,
    allMs: placing.at - from,
    taskMs: Math.max(0, ...placing.turns.filter(meanwhile).map(({ ms }) => ms)),
    longTasks: placing.longTasks.filter(meanwhile).map(({ ms }) => ms),
  };
})()`;

const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const markupOf = (page: string) =>
  `<article id="content">${page
    .split('\n')
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('\n')}</article><confab-annotations for="#content"></confab-annotations>`;

/** The pages: the text as it was when the threads were begun, and a heavy revision of it. */
function makePages(seed: number) {
  const corpus = makeCorpus(seed, text);
  const edited = corpus.find(({ name }) => name === 'mixed every 400');
  if (edited === undefined) throw new Error('the corpus has no such revision');
  const quotes = corpus.flatMap(({ cases }) => cases).slice(0, threads);
  return { quotes, pages: { unchanged: text, edited: edited.text } };
}

type Worlds = { readonly browser: Browser; readonly host: Host; readonly server: ConfabProcess };

/** Writes the threads of the page at a path. */
async function begin(
  { host, server }: Worlds,
  path: string,
  quotes: ReturnType<typeof makePages>['quotes'],
): Promise<void> {
  await using client = new Client(server);
  const uid = pageUid(host.url + path);
  const app = await client.create('/api/apps', { uid, type: 'comments', access: 'write', visitors: 'read' });
  await client.must('PUT', '/api/users/editor', { name: 'Editor' });
  for (const [number, { start, end }] of quotes.entries()) {
    const { hint, ...quote } = makeQuote(text, start, end);
    const position = { type: 'TextPositionSelector', start: hint, end };
    const anchor = { key: 'content', selector: [{ type: 'TextQuoteSelector', ...quote }, position] };
    const fields = { text: `Comment ${number + 1}`, anchor, created_by: 'editor' };
    await client.create(`/api/apps/${app}/comments`, fields);
  }
}

/** Opens a page, and measures how its threads are placed. `profile` names a file for a profile of the processor. */
async function open(
  worlds: Worlds,
  { path, page: shown, profile }: { path: string; page: string; profile: string | undefined },
): Promise<Placing> {
  let protocol: CDPSession | undefined;
  const { page, context } = await openElements(worlds, {
    path,
    markup: markupOf(shown),
    prepare: async (prepared) => {
      protocol = await prepared.context().newCDPSession(prepared);
      await prepared.addInitScript(watch);
      await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowing });
      if (profile === undefined) return;
      await protocol.send('Profiler.enable');
      await protocol.send('Profiler.setSamplingInterval', { interval: 200 });
      await protocol.send('Profiler.start');
    },
  });
  try {
    await poll('the marks', () => page.evaluate('placing.paintedAt'));
    if (profile !== undefined)
      writeFileSync(profile, JSON.stringify((await protocol?.send('Profiler.stop'))?.profile));
    return await page.evaluate<Placing>(read);
  } finally {
    await context.close();
  }
}

/** Measures both pages some rounds, and fails where the median misses its aim. */
export async function measureSpeed(
  suite: Suite,
  { seed, rounds, profile }: { readonly seed: number; readonly rounds: number; readonly profile: string },
): Promise<void> {
  if (profile !== '') mkdirSync(profile, { recursive: true });
  const host = await startHost();
  const settings = { CONFAB_CORS_ORIGINS: host.url };
  await using server = await startConfab({ folder: join(suite.folder, 'speed'), settings });
  const browser = await launchBrowser();
  try {
    const worlds = { browser, host, server };
    const { quotes, pages } = makePages(seed);
    console.log(
      `\n| ${threads} threads, processor slowed ${slowing} × | Marked | ms for all | Longest turn, ms |`,
    );
    console.log('|---|---|---|---|');
    for (const [name, page] of Object.entries(pages)) {
      const path = `/${name}`;
      await begin(worlds, path, quotes);
      const found: Placing[] = [];
      // The first opening fills the caches of the server.
      for (let round = 0; round <= rounds; round += 1) {
        const file = profile === '' ? undefined : join(profile, `${name}-${round}.cpuprofile`);
        const placing = await open(worlds, { path, page, profile: file });
        if (round > 0) found.push(placing);
      }
      report(suite, name, found);
    }
  } finally {
    await browser.close();
    await host.close();
  }
}

function report(suite: Suite, name: string, found: readonly Placing[]): void {
  const spread = (of: (placing: Placing) => number) => {
    const values = found.map(of);
    const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)];
    return `${middle.toFixed(0)} (${least.toFixed(0)}–${most.toFixed(0)})`;
  };
  const marked = Math.min(...found.map((each) => each.marked));
  console.log(`| ${name} | ${marked} | ${spread((each) => each.allMs)} | ${spread((each) => each.taskMs)} |`);
  const long = found.flatMap(({ longTasks }) => longTasks);
  if (long.length > 0) console.log(`tasks of more than 50 ms by the browser: ${long.join(', ')} ms`);
  if (median(found.map((each) => each.allMs)) > allMsMax)
    suite.fail(`the page "${name}" takes more than ${allMsMax} ms to place its threads`);
  if (median(found.map((each) => each.taskMs)) > taskMsMax)
    suite.fail(`a task of the page "${name}" takes more than ${taskMsMax} ms`);
}
