import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configFrom } from '../../../src/config/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { createRateLimits } from '../../../src/features/limits/limits.ts';
import { defaultRates, type RateOutcome, type Rates } from '../../../src/kernel/rate-limits.ts';

/** The limits of a server that has its store to itself, on a clock that stands still. */
function limitsWith(person: Rates, address: Rates = {}) {
  let now = Date.parse('2026-11-21T07:42:00.000Z');
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const limits = createRateLimits(
    { db: {} as Db, clock: { now: () => now }, log },
    { person, moderator: { write: 5 }, key: {}, address },
  );
  return {
    limits,
    move: (ms: number) => {
      now += ms;
    },
    take: (id: string, kind: 'read' | 'write' = 'write') =>
      limits.take('person', id, kind) as RateOutcome | undefined,
  };
}

// A person may send so many requests of a kind in a window, and as many again in the next.
describe('the limit of a kind', () => {
  test('lets exactly its number through, tells what is left, and begins anew with the window', () => {
    const { take, move } = limitsWith({ write: 3 });
    const [first, , third, fourth] = [take('1'), take('1'), take('1'), take('1')];
    assert.deepEqual(first, {
      role: 'person',
      kind: 'write',
      quota: 3,
      remaining: 2,
      seconds: 60,
      isRefused: false,
    });
    assert.deepEqual([third?.remaining, third?.isRefused], [0, false]);
    assert.deepEqual([fourth?.remaining, fourth?.isRefused], [0, true]);
    move(59_001);
    assert.deepEqual([take('1')?.isRefused, take('1')?.seconds], [true, 1]);
    move(999);
    assert.deepEqual([take('1')?.isRefused, take('1')?.remaining], [false, 1]);
  });

  test('counts each person, each kind and each role apart', () => {
    const { limits, take } = limitsWith({ write: 1, read: 1 });
    assert.equal(take('1')?.isRefused, false);
    assert.equal(take('1')?.isRefused, true);
    assert.equal(take('2')?.isRefused, false);
    assert.equal(take('1', 'read')?.isRefused, false);
    const moderator = limits.take('moderator', '3', 'write') as RateOutcome;
    assert.deepEqual([moderator.quota, moderator.remaining], [5, 4]);
  });

  test('is absent where it is turned off', () => {
    const { take, limits } = limitsWith({ write: 1 });
    assert.equal(take('1', 'read'), undefined);
    assert.equal(limits.takeNow('key', '1', 'write'), undefined);
    assert.equal(limits.peek('address', '1', 'credential'), undefined);
  });

  test('does not count what it refuses, nor a look at it', () => {
    const { limits, take, move } = limitsWith({ write: 2 }, { credential: 1 });
    for (let refused = 0; refused < 10; refused += 1) take('1');
    assert.equal(limits.peek('person', '1', 'write')?.isRefused, true);
    move(60_000);
    assert.equal(limits.peek('person', '1', 'write')?.remaining, 2);
    assert.equal(limits.peek('person', '1', 'write')?.remaining, 2);
    // Unknown credentials have a longer window.
    limits.takeNow('address', 'a', 'credential');
    move(300_000);
    assert.equal(limits.peek('address', 'a', 'credential')?.isRefused, true);
  });

  test('is never met by a person who writes ten times a minute', () => {
    const { take, move } = limitsWith(defaultRates.person);
    for (let second = 0; second < 3600; second += 6) {
      assert.equal(take('1')?.isRefused, false);
      move(6000);
    }
  });
});

// Whoever sets limits learns at the start what is wrong with them.
describe('the settings of limits', () => {
  test('change the kinds that they name and leave the others', () => {
    const config = configFrom({
      CONFAB_LIMITS_PERSON: 'write=7, search=off',
      CONFAB_LIMITS_MODERATOR: 'off',
      CONFAB_LIMITS_ADDRESS: '',
    });
    const { search: _, ...others } = defaultRates.person;
    assert.deepEqual(config.limitsPerson, { ...others, write: 7 });
    assert.deepEqual(config.limitsModerator, {});
    assert.deepEqual(config.limitsAddress, defaultRates.address);
    assert.equal(config.trustedProxies, undefined);
  });

  for (const [variable, text, message] of [
    ['CONFAB_LIMITS_PERSON', 'writes=7', /must name kinds among read, search, write, upload, live/],
    ['CONFAB_LIMITS_PERSON', 'credential=7', /must name kinds among/],
    ['CONFAB_LIMITS_KEY', 'write=0', /must give write a whole number, 1 to 1000000, or off/],
    ['CONFAB_LIMITS_ADDRESS', 'read=1000001', /must give read a whole number/],
    ['CONFAB_TRUSTED_PROXIES', '10.0.0.0/33', /"10.0.0.0\/33", which is neither an address nor a network/],
    ['CONFAB_TRUSTED_PROXIES', 'proxy.internal', /is neither an address nor a network/],
  ] as const)
    test(`refuse ${variable}=${text}`, () => {
      assert.throws(() => configFrom({ [variable]: text }), message);
    });
});
