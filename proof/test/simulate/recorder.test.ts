import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lanes, Outcome } from 'confab-server/src/features/webhooks/sending/lanes.ts';
import { heldLane } from 'confab-server/src/workers/held-lane.ts';
import { startWebhookRecorder } from 'confab-server/src/workers/webhook-recorder.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { SimulatedTime } from '../../simulate/simulated-time.ts';

const minutes = 60_000;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const claim = { webhookId: 1, lease: 'a' };

/** A process that is suspended in a transaction, or waits for a database that fails over, goes on afterwards. */
describe('the recorder of outcomes', () => {
  it('records at once again after a transaction that took ten minutes', async () => {
    const time = new SimulatedTime(seededRandom(1), Date.UTC(2026, 0, 1));
    using _installed = time.install();
    const recordedAt: number[] = [];
    const record: Lanes['record'] = async () => {
      if (recordedAt.length === 0) await time.sleep(time.world, 10 * minutes);
      recordedAt.push(time.now());
      return new Set();
    };
    const lane = heldLane(claim, time.trueTime() + 1000 * minutes);
    const recorder = startWebhookRecorder({
      lanes: { record } as unknown as Lanes,
      clock: { now: () => time.trueTime() },
      log,
      held: new Map([[1, lane]]),
      onRecorded() {},
    });
    const add = (deliveryId: number): void => {
      recorder.add(lane, { claim, deliveryId, status: 'delivered', probeAt: null } as Outcome);
      recorder.nudge();
    };
    add(1);
    await time.runUntil(11 * minutes, () => recordedAt.length === 1);
    add(2);
    await time.runUntil(60 * minutes, () => recordedAt.length === 2);
    const [first = 0, second = Number.NaN] = recordedAt;
    assert.equal(first, 10 * minutes);
    assert.ok(second - first <= 1000, `the next outcome was recorded ${second - first} ms later`);
  });
});
