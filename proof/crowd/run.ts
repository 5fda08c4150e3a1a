import { setTimeout as pause } from 'node:timers/promises';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { startHost } from 'confab-testing/browser/host.ts';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { openElements, signedIn } from '../../elements/test/browser/page.ts';
import {
  goTo,
  isAnswered,
  jumpsOf,
  type LongTask,
  longTasks,
  lookThrough,
  placeOf,
  pressMore,
  shownComments,
  textOf,
  watchPlace,
  watchPlaces,
  watchTasks,
} from './reader.ts';
import { type Act, startCrowd, writeBefore } from './writers.ts';

/**
 * Many people write in one thread over HTTP while one reads in the middle of it in a browser, and writes. The place of the
 * reader is measured each second. In the end the reader shows everything, which is compared with what the server has said.
 */

export type CrowdRun = {
  readonly folder: string;
  readonly people: number;
  readonly seconds: number;
  readonly seed: number;
  /** How long a person waits between two acts on average, in milliseconds. */
  readonly pauseMs: number;
};

/** What a run has found. */
export type Outcome = {
  readonly done: Readonly<Record<Act, number>>;
  readonly refusals: readonly string[];
  /** How many comments there are in the end, and how many of them the reader has written. */
  readonly comments: number;
  readonly own: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /**
   * How often the place was measured, and the seconds in which it had moved, with each frame in which it did: by how much, by
   * how much the page was scrolled then, and what near it had another height.
   */
  readonly measured: number;
  readonly moved: readonly string[];
  /** Tasks of more than 50 ms while everybody wrote, and while the reader showed everything in the end. */
  readonly slow: readonly LongTask[];
  readonly slowAfter: readonly LongTask[];
  /** What went wrong in the page. */
  readonly faults: readonly string[];
};

/** How many comments are there before, and how many of these the reader has read. */
const before = 80;
/** Every so many of the first comments is one that the reader reads, and nobody removes. */
const readEvery = 7;
const secondMs = 1000;
/** The reader writes every so many seconds, and goes somewhere else every so many. */
const writesEvery = 5;
const goesEvery = 20;
/**
 * A place that has moved by less than this in a second, in pixels, has not moved: the element and the browser scroll by whole
 * pixels at each change. In one frame it may move by one.
 */
const tolerance = 2;
/** How often the reader looks through everything for what is missing. */
const looksMax = 5;
/** How long a comment that is looked at may take until it says what it says now: a cache has answers for ten seconds. */
const settleMsMax = 20_000;

/** What follows on a page, so that the last comment can be brought to the top of the window as well. */
const moreOfPage = '<p>What else is on the page.</p>'.repeat(40);

/** Runs a crowd. */
export async function runCrowd({ folder, people, seconds, seed, pauseMs }: CrowdRun): Promise<Outcome> {
  const host = await startHost();
  await using server = await startConfab({ folder, settings: { CONFAB_CORS_ORIGINS: host.url } });
  await using client = new Client(server, { connections: 50 });
  const browser = await launchBrowser();
  try {
    const uid = pageUid(`${host.url}/crowd`);
    const app = await client.create('/api/apps', {
      uid,
      type: 'comments',
      access: 'write',
      visitors: 'read',
    });
    const tokens = await inParallel({ count: people, atOnce: 10 }, (n) => issueToken(client, `person-${n}`));
    const token = await issueToken(client, 'reader');
    const { id } = await client.must('GET', '/api/users/reader');
    const options = { client, app, tokens, random: seededRandom(seed), pauseMs };
    const first = await writeBefore(options, before);
    const read = first.filter((_, index) => index % readEvery === 0).map((each) => each.id);

    const { page, faults } = await openElements(
      { browser, host, server },
      {
        path: '/crowd',
        markup: `<confab-comments></confab-comments>${moreOfPage}`,
        storageState: signedIn({ host, server }, { token, id: Number(id), name: 'Reader' }),
        prepare: (opened) => opened.addInitScript(watchTasks + watchPlaces),
      },
    );
    await page.locator('article').first().waitFor();
    await pressAll(page);
    const begun = (await longTasks(page)).length;
    const crowd = startCrowd(options, first, new Set(read));
    const reader = await readAndWrite(page, { read, seconds });
    await crowd.stop();
    const slow = (await longTasks(page)).slice(begun);
    const expected = new Map(
      [...crowd.there.values(), ...reader.written].map(({ id: each, text }) => [each, text]),
    );
    const { lost, doubled } = await compareAll(page, expected);
    return {
      done: crowd.done,
      refusals: crowd.refusals,
      comments: expected.size,
      own: reader.written.length,
      lost: [...reader.gone, ...lost],
      doubled: [...reader.doubled, ...doubled],
      measured: reader.measured,
      moved: reader.moved,
      slow,
      slowAfter: (await longTasks(page)).slice(begun + slow.length),
      faults: [...faults],
    };
  } finally {
    await browser.close();
    await host.close();
  }
}

/** Reads for some seconds, here and there, and writes answers to what it reads. */
async function readAndWrite(
  page: Page,
  { read, seconds }: { readonly read: readonly number[]; readonly seconds: number },
) {
  const written: { readonly id: number; readonly text: string }[] = [];
  const moved: string[] = [];
  const doubled: string[] = [];
  const gone: string[] = [];
  let [at = 0] = read;
  let place = Number.NaN;
  let measured = 0;
  const startedAt = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    await pause(Math.max(0, startedAt + second * secondMs - performance.now()));
    if (second % goesEvery === 0) {
      at = read[Math.floor(read.length / 2 + second / goesEvery) % read.length] ?? at;
      await goTo(page, at);
      place = await placeOf(page, at);
      await watchPlace(page, at);
    }
    if (second % writesEvery === writesEvery - 1)
      written.push(await answer(page, at, `Reader, number ${written.length + 1}.`));
    const now = await placeOf(page, at);
    measured += 1;
    const jumps = await jumpsOf(page);
    if (!(Math.abs(now - place) <= tolerance) || jumps.length > 0)
      moved.push([`second ${second}: ${at} from ${place} to ${now}`, ...jumps].join('; '));
    place = now;
    const ids = (await shownComments(page)).map((each) => each.id);
    for (const id of repeated(ids)) doubled.push(`second ${second}: ${id}`);
    for (const { id } of written)
      if (!ids.includes(id)) gone.push(`second ${second}: ${id} is shown no more`);
  }
  return { written, moved, doubled, gone, measured };
}

/** Answers a comment by mouse and keyboard, and waits until the answer is there. */
async function answer(page: Page, to: number, text: string): Promise<{ id: number; text: string }> {
  await page.locator(`#comment-${to} [data-act=answer]`).click();
  await page.locator(`[data-place=to-${to}] textarea:focus`).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
  const found = page.locator('article[id^=comment-]', { hasText: text });
  await found.waitFor();
  const id = await found.evaluate((element) => Number(element.id.slice('comment-'.length)));
  return { id, text };
}

/** Shows everything, and compares it with what there is. */
async function compareAll(page: Page, expected: ReadonlyMap<number, string>) {
  const problems: string[] = [];
  let missing = [...expected.keys()];
  for (let again = 0; missing.length > 0 && again < looksMax; again += 1) {
    problems.push(...(await pressAll(page)));
    if (problems.length > 0) break;
    const shown = new Set((await shownComments(page)).map((each) => each.id));
    missing = missing.filter((id) => !shown.has(id));
    // What was far from the screen when it changed is read when it is looked at.
    if (missing.length > 0) await lookThrough(page);
  }
  const lost = [...problems, ...missing.map((id) => `${id} is not shown`)];
  const shown = await shownComments(page);
  for (const { id, text } of shown) {
    const wanted = expected.get(id);
    if (wanted === undefined ? text === undefined : text === wanted) continue;
    // What was far from the screen is read when it is looked at.
    await goTo(page, id);
    const isRight = async () => (await textOf(page, id)) === wanted || undefined;
    await poll('the text', isRight, settleMsMax).catch(async () =>
      lost.push(`${id} says "${await textOf(page, id)}" and not "${wanted}"`),
    );
  }
  return { lost, doubled: repeated(shown.map((each) => each.id)).map(String) };
}

/** Presses what shows more until nothing does. Resolves to the buttons that showed nothing. */
async function pressAll(page: Page): Promise<string[]> {
  for (let press = await pressMore(page); press !== undefined; press = await pressMore(page)) {
    const hasMore = async () => (await isAnswered(page, press)) || undefined;
    const isDone = await poll('more comments', hasMore, settleMsMax).catch(() => false);
    if (!isDone) return [`"${press.name}" shows nothing`];
  }
  return [];
}

function repeated(ids: readonly number[]): number[] {
  const seen = new Set<number>();
  return ids.filter((id) => seen.has(id) || seen.add(id) === undefined);
}
