import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  failuresToOpen,
  probeDelayMs,
  type Receiver,
  type ReceiverSignal,
  receiverAfter,
} from '../../../src/features/webhooks/sending/breaker.ts';
import {
  retryAfterMs,
  retryDelayMs,
  retryDelaysMs,
  verdictOf,
} from '../../../src/features/webhooks/sending/retry.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.parse('2026-11-21T07:42:00.000Z');

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const answer = (statusCode: number, headers: Record<string, string> = {}) => ({
  answered: true as const,
  statusCode,
  headers,
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 1,
});

// Jitter is only added, never more than a tenth or a second, at most 15 minutes, and the same for the same randomness.
describe('the pause after a failure', () => {
  test('59: is that of the schedule without jitter, 75 h 36 min 5 s in all', () => {
    const pauses = retryDelaysMs.map((_, index) => retryDelayMs(index + 1, () => 0));
    assert.deepEqual(pauses, [...retryDelaysMs]);
    assert.equal(
      retryDelaysMs.reduce((sum, delay) => sum + delay, 0),
      75 * hour + 36 * minute + 5000,
    );
    assert.equal(
      retryDelayMs(11, () => 0),
      undefined,
    );
  });

  test('59: is never early and never later than its bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fraction, (number, random) => {
        const delay = retryDelaysMs[number - 1] ?? 0;
        const pause = retryDelayMs(number, () => random) ?? Number.NaN;
        const bound = Math.min(Math.max(delay / 10, 1000), 15 * minute);
        assert.ok(Number.isInteger(pause) && pause >= delay && pause < delay + bound);
        assert.equal(
          pause,
          retryDelayMs(number, () => random),
        );
      }),
    );
  });
});

// Retry-After is seconds or a date; whatever else it is, the pause stays between nothing and a day.
describe('the delay of Retry-After', () => {
  test('59: is read from seconds and from a date', () => {
    assert.equal(retryAfterMs('120', now), 120_000);
    assert.equal(retryAfterMs(' 120 ', now), 120_000);
    assert.equal(retryAfterMs('Sat, 21 Nov 2026 08:42:00 GMT', now), hour);
    assert.equal(retryAfterMs('Sat, 21 Nov 2026 07:00:00 GMT', now), 0);
    assert.equal(retryAfterMs('99999999999999999999', now), day);
    assert.equal(retryAfterMs('Sun, 21 Nov 2100 08:42:00 GMT', now), day);
    for (const garbage of [
      undefined,
      '',
      'soon',
      '-5',
      '1.5',
      '0x10',
      '2026-11-22',
      'Sat, 99 Nov 2026 99:99:99 GMT',
    ])
      assert.equal(retryAfterMs(garbage, now), 0, `${garbage}`);
  });

  test('59: is between nothing and a day, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String), fc.date().map(String)), (text) => {
        const asked = retryAfterMs(text, now);
        assert.ok(asked >= 0 && asked <= day);
      }),
    );
  });

  test('59: counts only for 429 and 503 and never shortens the schedule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 599 }),
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 1, max: 10 }),
        (status, seconds, number) => {
          const verdict = verdictOf(answer(status, { 'retry-after': String(seconds) }), {
            number,
            now,
            random: () => 0,
            isAlone: false,
          });
          const scheduled = now + (retryDelaysMs[number - 1] ?? 0);
          const asked = status === 429 || status === 503 ? now + Math.min(seconds * 1000, day) : 0;
          assert.deepEqual(
            verdict.dueAt,
            status === 410 ? null : Math.max(scheduled, asked),
            `${status} ${seconds} ${number}`,
          );
        },
      ),
    );
  });
});

// Any 2xx is a success; all else is a failure with a word for it.
describe('the outcome of a response', () => {
  test('is delivered for every 2xx and for nothing else', () => {
    for (let status = 200; status < 600; status += 1) {
      const verdict = verdictOf(answer(status), { number: 1, now, random: () => 0, isAlone: false });
      const expected = status < 300 ? 'delivered' : status === 410 ? 'failed' : 'retrying';
      assert.equal(verdict.status, expected, String(status));
      assert.equal(verdict.error === null, status < 300);
    }
  });

  test('is failed after the last attempt and for a permanently refused address', () => {
    const refused = { answered: false as const, errorCode: 'blocked_address' as const, durationMs: 1 };
    const judged = (permanent: boolean) =>
      verdictOf({ ...refused, permanent }, { number: 1, now, random: () => 0, isAlone: false });
    assert.deepEqual(judged(true), { status: 'failed', dueAt: null, error: 'blocked_address', backoffMs: 0 });
    assert.deepEqual(judged(false), {
      status: 'retrying',
      dueAt: now + 5000,
      error: 'blocked_address',
      backoffMs: 0,
    });
    assert.deepEqual(verdictOf(answer(500), { number: 11, now, random: () => 0, isAlone: false }), {
      status: 'failed',
      dueAt: null,
      error: 'http_500',
      backoffMs: 0,
    });
  });
});

// A probe does not count in the schedule, and a receiver that times out rests for a minute unless another attempt is in
// progress.
describe('the outcome of a probe and of a timeout', () => {
  const circumstances = { number: 11, now, random: () => 0, isAlone: true };

  test('59: a failed probe does not advance the schedule of its delivery, not even after 410', () => {
    const probe = (isLast: boolean, dueAt = now - minute) => ({ ...circumstances, probe: { isLast, dueAt } });
    for (const status of [410, 500, 301]) {
      assert.equal(verdictOf(answer(status), probe(false)).status, 'retrying');
      assert.equal(verdictOf(answer(status), probe(false)).dueAt, now);
      assert.equal(verdictOf(answer(status), probe(false, now + minute)).dueAt, now + minute);
    }
    assert.equal(verdictOf(answer(500), probe(true)).status, 'failed');
    assert.equal(verdictOf(answer(200), probe(false)).status, 'delivered');
  });

  test('59: a timeout is followed by a minute of rest, unless another attempt is in progress', () => {
    const silent = (errorCode: 'timeout' | 'connect_timeout' | 'dns_timeout' | 'reset') =>
      ({ answered: false, errorCode, permanent: false, durationMs: 1 }) as const;
    for (const result of [
      answer(502),
      answer(504),
      silent('timeout'),
      silent('connect_timeout'),
      silent('dns_timeout'),
    ]) {
      assert.equal(verdictOf(result, circumstances).backoffMs, minute);
      assert.equal(verdictOf(result, { ...circumstances, isAlone: false }).backoffMs, 0);
    }
    for (const result of [answer(500), answer(503), silent('reset')])
      assert.equal(verdictOf(result, circumstances).backoffMs, 0);
    assert.equal(
      verdictOf(answer(503, { 'retry-after': '7' }), { ...circumstances, isAlone: false }).backoffMs,
      7000,
    );
  });
});

/** What the breaker is to do, in the plainest words: it looks back over all that happened. */
function oracle(signs: readonly ReceiverSignal[]): { isOpen: boolean; probes: number } {
  let isOpen = false;
  let probes = 0;
  let inARow = 0;
  for (const { error, isProbe } of signs) {
    inARow = error === null ? 0 : inARow + 1;
    if (error === null) {
      isOpen = false;
      probes = 0;
    } else if (isOpen && isProbe) probes += 1;
    else if (inARow >= failuresToOpen || error === 'http_410') isOpen = true;
  }
  return { isOpen, probes };
}

// The breaker opens after four failures in a row, probes at growing distances, and is closed by one success.
describe('the breaker', () => {
  const closed: Receiver = {
    failures: 0,
    openedAt: null,
    reason: null,
    probeAt: null,
    probes: 0,
    waitUntil: null,
  };

  class Attempt implements fc.Command<{ signs: ReceiverSignal[]; at: number }, { receiver: Receiver }> {
    readonly error: string | null;
    readonly backoffMs: number;
    readonly isLate: boolean;
    constructor(error: string | null, backoffMs: number, isLate: boolean) {
      this.error = error;
      this.backoffMs = backoffMs;
      this.isLate = isLate;
    }
    check = () => true;
    run(model: { signs: ReceiverSignal[]; at: number }, real: { receiver: Receiver }): void {
      const before = oracle(model.signs);
      // What was under way when the breaker opened ends later and is no probe.
      const isProbe = before.isOpen && !this.isLate;
      model.at += hour;
      const { error, backoffMs } = this;
      const sign = { at: model.at, error, backoffMs: error === null ? 0 : backoffMs, isProbe };
      model.signs.push(sign);
      const was = real.receiver;
      real.receiver = receiverAfter(was, sign);
      const { isOpen, probes } = oracle(model.signs);
      const { openedAt, reason, probeAt, waitUntil } = real.receiver;
      assert.equal(openedAt !== null, isOpen);
      assert.equal(reason !== null, isOpen);
      assert.equal(probeAt !== null, isOpen);
      assert.equal(real.receiver.probes, probes);
      if (isOpen && was.openedAt !== null) assert.equal(openedAt, was.openedAt);
      if (probeAt !== null && was.probeAt !== probeAt) {
        const plannedMs = error === 'http_410' ? day : probeDelayMs(probes);
        assert.ok(probeAt >= sign.at + Math.max(plannedMs, backoffMs));
        assert.ok(probeAt <= Math.max(sign.at + Math.max(plannedMs, backoffMs), was.waitUntil ?? 0));
      }
      if (isOpen) assert.equal(waitUntil, null);
    }
    toString = () => `${this.error ?? 'success'}${this.isLate ? ' late' : ''} ${this.backoffMs}`;
  }

  test('59: agrees with a plain oracle for any attempts', () => {
    const attempt = fc
      .tuple(
        fc.constantFrom(null, 'http_500', 'timeout', 'http_410', 'http_500', 'reset'),
        fc.constantFrom(0, 0, minute, 2 * day),
        fc.boolean(),
      )
      .map(([error, backoffMs, isLate]) => new Attempt(error, backoffMs, isLate));
    fc.assert(
      fc.property(fc.commands([attempt], { maxCommands: 60 }), (commands) => {
        fc.modelRun(() => ({ model: { signs: [], at: now }, real: { receiver: closed } }), commands);
      }),
      { numRuns: 200 },
    );
  });

  test('59: probes are 1, 2, 4 … minutes apart, up to a day', () => {
    const delays = Array.from({ length: 13 }, (_, probes) => probeDelayMs(probes) / minute);
    assert.deepEqual(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440]);
    assert.equal(probeDelayMs(1_000_000), day);
  });
});
