import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from 'confab-contract/problem.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Log } from '../../../src/kernel/log.ts';
import { endsWithin, startLoop } from '../../../src/workers/runner.ts';

const failures: object[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields) => void failures.push(fields),
};

function reached(count: () => number, wanted: number): Promise<true> {
  return poll(`${wanted} steps`, () => (count() >= wanted ? true : undefined));
}

/** Resolves in a later turn of the event loop. */
function laterTurn(): Promise<true> {
  let looks = 0;
  return poll('a later turn', () => {
    looks += 1;
    return looks > 1 ? true : undefined;
  });
}

// A loop takes one step at a time, soon after a nudge or when it asked to, and none after it was stopped.
describe('a loop', () => {
  test('runs one step for simultaneous nudges, and another one for a nudge during a step', async () => {
    let steps = 0;
    let running = 0;
    let gate = Promise.withResolvers<void>();
    const loop = startLoop({
      name: 'test',
      log,
      step: async () => {
        running += 1;
        assert.equal(running, 1);
        steps += 1;
        await gate.promise;
        running -= 1;
        return undefined;
      },
    });
    for (let i = 0; i < 10; i += 1) loop.nudge();
    await reached(() => steps, 1);
    for (let i = 0; i < 10; i += 1) loop.nudge();
    const before = gate;
    gate = Promise.withResolvers();
    gate.resolve();
    before.resolve();
    await reached(() => steps, 2);
    await poll('the second step to end', () => (running === 0 ? true : undefined));
    await loop.stop();
    assert.equal(steps, 2);
  });

  test('runs one step at a time for a nudge in the synchronous part of a step', async () => {
    let steps = 0;
    let running = 0;
    const most: number[] = [];
    const loop = startLoop({
      name: 'test',
      log,
      step: async () => {
        steps += 1;
        running += 1;
        most.push(running);
        if (steps === 1) loop.nudge();
        await laterTurn();
        running -= 1;
        return undefined;
      },
    });
    await reached(() => steps, 2);
    await loop.stop();
    assert.deepEqual(most, [1, 1]);
  });

  test('runs the next step after the requested delay', async () => {
    const times: number[] = [];
    const loop = startLoop({
      name: 'test',
      log,
      step: async () => {
        times.push(performance.now());
        return 30;
      },
    });
    await reached(() => times.length, 3);
    await loop.stop();
    const [first = 0, second = 0] = times;
    assert.ok(second - first >= 29, `${second - first}`);
  });

  test('logs a failure and pauses, which no nudge shortens', async () => {
    const times: number[] = [];
    const loop = startLoop({
      name: 'failing',
      log,
      step: async () => {
        times.push(performance.now());
        if (times.length < 3) throw new Error('the store is away');
        return undefined;
      },
    });
    await poll('the third step', () => {
      loop.nudge();
      return times.length >= 3 ? true : undefined;
    });
    await loop.stop();
    const [first = 0, second = 0, third = 0] = times;
    assert.ok(second - first >= 249, `${second - first}`);
    assert.ok(third - second >= 499, `${third - second}`);
    assert.equal(failures.length, 2);
  });

  test('looks every two seconds whether a store that was away for long is back', async () => {
    const pauses: unknown[] = [];
    const loop = startLoop({
      name: 'away',
      log: { ...log, error: (fields) => void pauses.push((fields as { waitMs: number }).waitMs) },
      step: () => Promise.reject(new Problem('storage_unavailable', 'The store does not answer.')),
    });
    await reached(() => pauses.length, 5);
    await loop.stop();
    assert.deepEqual(pauses.slice(0, 5), [250, 500, 1000, 2000, 2000]);
  });

  test('aborts its step when it is stopped, and waits for it', async () => {
    let hasEnded = false;
    let hasBegun = false;
    const loop = startLoop({
      name: 'test',
      log,
      step: async (signal) => {
        hasBegun = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        hasEnded = true;
        return 0;
      },
    });
    await poll('the step', () => hasBegun || undefined);
    await loop.stop();
    assert.ok(hasEnded);
    hasBegun = false;
    loop.nudge();
    assert.equal(
      await endsWithin(
        poll('another step', () => hasBegun || undefined, 50),
        1000,
      ),
      true,
    );
    assert.equal(hasBegun, false);
  });
});

// Waiting for an end has an end itself.
describe('waiting within a budget', () => {
  test('returns whether the work has ended, with or without success', async () => {
    assert.equal(await endsWithin(Promise.resolve(), 1000), true);
    assert.equal(await endsWithin(Promise.reject(new Error('bad')), 1000), true);
    assert.equal(await endsWithin(new Promise(() => undefined), 10), false);
  });
});
