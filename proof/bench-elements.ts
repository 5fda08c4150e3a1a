/**
 * What our elements cost a reader, beside two others, in a browser: `npx node proof/bench-elements.ts`.
 *
 * A site shows the same comments in three ways: with `<confab-comments>`, with the kit by `/embed.js`, both from one
 * Confab server, and with the small element of Artalk from npm, from a stand-in for its server (`bench/elements/artalk.ts`).
 * All are of another origin than the site, answer on the same machine and compress with brotli. In each round each takes its
 * turn, in a browser profile that has nothing of it. The browser has a fourth of the processor, 1.6 Mbit/s, and waits 150 ms
 * for each answer.
 *
 * - `visible`: 25 comments. The bytes of script and style as they were sent, the requests until nothing was requested for two
 *   seconds and those that were answered before it was visible, the time from the navigation until the 25th text is painted, the sum of layout shifts.
 * - `scripting`: a thread of 100, read on page by page: the processor time of script, and of all work of the main thread.
 * - `memory`: a thread of 1,000, read on to its end, without the slow line: the heap after a collection of garbage, and nodes.
 * - `writer`: the bytes of script and style after a comment was written and sent.
 * - `axe`: what axe finds on the page of 25 comments.
 *
 * `--rounds`, `--only visible,memory` and `--seed`, which draws the texts. `--profile FOLDER` writes a processor profile of each
 * thread of 100, `--json FILE` writes the medians of ours and their aims there. It fails when ours misses an aim.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { machine } from 'confab-testing/harness/figures.ts';
import { anySeed, readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import type { Browser } from 'playwright-core';
import { type Contender, contenders } from './bench/elements/contenders.ts';
import { Figures, figuresOf, printFigures } from './bench/elements/figures.ts';
import { type Requested, type Visit, visit } from './bench/elements/visit.ts';
import { startWorld, type World } from './bench/elements/world.ts';

const { rounds, only, seed, profile, json } = readFlags({
  rounds: 5,
  only: '',
  seed: anySeed,
  profile: '',
  json: '',
});
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const figures = new Figures();

/** Who is measured where. */
type Turn = {
  readonly browser: Browser;
  readonly world: World;
  readonly contender: Contender;
  /** From 0. */
  readonly round: number;
};

/** Opens the page of a contender with a thread. */
async function open(
  { browser, world, contender }: Turn,
  { thread, footer = '', isThrottled = true }: { thread: string; footer?: string; isThrottled?: boolean },
): Promise<Visit> {
  const { head, body } = contender.markup(world, thread);
  const path = `/${contender.name}/${thread}${footer === '' ? '' : '-footer'}`;
  const url = world.serve(path, thread, { head, body: body + footer });
  return await visit(browser, contender, { url, isThrottled });
}

function codeBytes(requests: readonly Requested[]): number {
  return requests
    .filter(({ type }) => type === 'Script' || type === 'Stylesheet')
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The first round lists the requests, so that their number can be understood. */
function printRequests(name: string, requests: readonly Requested[]): void {
  console.log(`requests of ${name}:`);
  for (const { type, url, sentMs, bytes } of requests)
    console.log(`  ${sentMs.toFixed(0).padStart(6)} ms ${`${bytes}`.padStart(7)} bytes  ${type} ${url}`);
}

async function measureVisible(turn: Turn): Promise<void> {
  const { contender, round } = turn;
  await using seen = await open(turn, { thread: 'thread-25' });
  const visibleMs = await seen.shown(25);
  await seen.quiet();
  if (round === 0) printRequests(contender.name, seen.requests);
  figures.add(contender.name, {
    visibleMs,
    readerBytes: codeBytes(seen.requests),
    requests: seen.requests.length,
    // What was not answered was not needed. The first is the page itself.
    needed: seen.requests.filter(({ doneMs }) => doneMs < visibleMs).length - 1,
    shifts: await seen.shifts(),
  });
  await using withFooter = await open(turn, { thread: 'thread-25', footer: '<footer>The end</footer>' });
  await withFooter.shown(25);
  await withFooter.quiet();
  figures.add(contender.name, { shiftsOfFooter: await withFooter.shifts() });
}

async function measureScripting(turn: Turn): Promise<void> {
  const { contender, round } = turn;
  await using seen = await open(turn, { thread: 'thread-100' });
  if (profile !== '') await seen.startProfile();
  await seen.shown(100);
  const { ScriptDuration = Number.NaN, TaskDuration = Number.NaN } = await seen.metrics();
  figures.add(contender.name, { scriptMs: ScriptDuration * 1000, taskMs: TaskDuration * 1000 });
  if (profile !== '')
    writeFileSync(
      join(profile, `${contender.name}-${round}.cpuprofile`),
      JSON.stringify(await seen.endProfile()),
    );
}

async function measureMemory(turn: Turn): Promise<void> {
  await using seen = await open(turn, { thread: 'thread-1000', isThrottled: false });
  await seen.shown(1000);
  await seen.quiet();
  const { JSHeapUsedSize = Number.NaN, Nodes = Number.NaN } = await seen.metrics({ isSwept: true });
  figures.add(turn.contender.name, { heapBytes: JSHeapUsedSize / 1000, nodes: Nodes });
}

async function measureWriter(turn: Turn): Promise<void> {
  const { contender, round } = turn;
  if (round > 0) return;
  await using seen = await open(turn, { thread: 'thread-writing', isThrottled: false });
  await seen.shown(25);
  await contender.write(seen.page, `Written in ${contender.name}`);
  await seen.quiet();
  figures.add(contender.name, { writerBytes: codeBytes(seen.requests) });
}

type Violation = { readonly id: string; readonly nodes: readonly unknown[] };

async function measureAxe(turn: Turn): Promise<void> {
  const { contender, round } = turn;
  if (round > 0) return;
  await using seen = await open(turn, { thread: 'thread-25', isThrottled: false });
  await seen.shown(25);
  await seen.quiet();
  await seen.page.evaluate(axe);
  const violations = await seen.page.evaluate<readonly Violation[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  const found = violations.map(({ id, nodes }) => `${id} ${nodes.length}`);
  console.log(`axe on the page of ${contender.name}: ${found.join(', ') || 'nothing'}`);
  const places = violations.reduce((sum, { nodes }) => sum + nodes.length, 0);
  figures.add(contender.name, { axeKinds: violations.length, axePlaces: places });
}

const parts: { readonly [name: string]: (turn: Turn) => Promise<void> } = {
  visible: measureVisible,
  scripting: measureScripting,
  memory: measureMemory,
  writer: measureWriter,
  axe: measureAxe,
};

async function run(): Promise<void> {
  using folder = temporaryFolder('elements');
  await using world = await startWorld(join(folder.path, 'store'), seed);
  const browser = await launchBrowser();
  try {
    console.log(`${machine()}, ${rounds} rounds, seed ${seed}`);
    for (let round = 0; round < rounds; round += 1)
      for (const [name, part] of Object.entries(parts))
        if (only === '' || only.split(',').includes(name))
          for (const contender of contenders) await part({ browser, world, contender, round });
  } finally {
    await browser.close();
  }
  const names = contenders.map(({ name }) => name);
  const missed = printFigures(figures, names);
  if (json !== '') writeFileSync(json, JSON.stringify(figuresOf(figures, names)));
  for (const line of missed) console.log(`MISSED ${line}`);
  if (missed.length > 0) process.exitCode = 1;
}

await run();
