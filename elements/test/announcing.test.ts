import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { announceNew } from '../src/seldom/announcing.ts';

// Users of a screen reader hear that there are new comments, and are not interrupted by each of them.
describe('announceNew', () => {
  test('says how many wait where they are more than was said, at most every ten seconds', () => {
    let now = 1_800_000_000_000;
    const said: string[] = [];
    let waiting = 0;
    const host = {
      thread: { waitingCount: () => waiting },
      t: (key: string, values: Readonly<Record<string, string | number>> = {}) => `${key} ${values['count']}`,
      announce: (text: string) => void said.push(text),
    };
    const wait = (count: number, afterMs: number) => {
      now += afterMs;
      waiting = count;
      announceNew(host, now);
    };
    wait(0, 0);
    wait(1, 0);
    wait(2, 5000);
    wait(2, 6000);
    wait(2, 60_000);
    assert.deepEqual(said, ['newComments 1', 'newComments 2']);
    // What was shown waits no more, and the next one is new again.
    wait(0, 1000);
    wait(1, 11_000);
    assert.deepEqual(said.slice(2), ['newComments 1']);
  });
});
