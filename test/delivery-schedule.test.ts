import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { judge, retryAfterMs, retryDelayMs, retryDelaysMs } from '../src/features/webhooks/retry.ts';

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
  test('is that of the schedule when nothing is added, 75 h 36 min 5 s in all', () => {
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

  test('is never early and never later than its bound', () => {
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
describe('what Retry-After asks for', () => {
  test('is read from seconds and from a date', () => {
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
      assert.equal(retryAfterMs(garbage, now), 0, garbage);
  });

  test('is between nothing and a day, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String), fc.date().map(String)), (text) => {
        const asked = retryAfterMs(text, now);
        assert.ok(asked >= 0 && asked <= day);
      }),
    );
  });

  test('counts for 429 and 503 alone and never shortens the schedule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 599 }),
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 1, max: 10 }),
        (status, seconds, number) => {
          const verdict = judge(answer(status, { 'retry-after': String(seconds) }), {
            number,
            now,
            random: () => 0,
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
describe('the verdict on an answer', () => {
  test('is delivered for every 2xx and for nothing else', () => {
    for (let status = 200; status < 600; status += 1) {
      const verdict = judge(answer(status), { number: 1, now, random: () => 0 });
      const expected = status < 300 ? 'delivered' : status === 410 ? 'failed' : 'retrying';
      assert.equal(verdict.status, expected, String(status));
      assert.equal(verdict.error === null, status < 300);
    }
  });

  test('is failed after the last attempt and for an address that is refused for good', () => {
    const refused = { answered: false as const, errorCode: 'blocked_address' as const, durationMs: 1 };
    const judged = (permanent: boolean) =>
      judge({ ...refused, permanent }, { number: 1, now, random: () => 0 });
    assert.deepEqual(judged(true), { status: 'failed', dueAt: null, error: 'blocked_address' });
    assert.deepEqual(judged(false), { status: 'retrying', dueAt: now + 5000, error: 'blocked_address' });
    assert.deepEqual(judge(answer(500), { number: 11, now, random: () => 0 }), {
      status: 'failed',
      dueAt: null,
      error: 'http_500',
    });
  });
});
