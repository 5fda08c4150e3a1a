import { inParallel } from '../harness/parallel.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { Sender } from './node.ts';
import { isLinearizable, type Operation } from './wing-gong.ts';

/** The findings of a run over histories. */
export type HistoriesResult = {
  histories: number;
  operations: number;
  /** The histories that no order explains. */
  readonly violations: string[];
};

const clients = 6;
const operationsOfClient = 4;
const besideEachOther = 4;

/**
 * Lets clients of both nodes concurrently write and read the name of one app, and checks for each history whether an
 * order explains it. With `isFirstEnough`, ends with the first unexplained one.
 */
export async function runHistories(
  pair: readonly [Sender, Sender],
  { seed, count, isFirstEnough }: { seed: number; count: number; isFirstEnough: boolean },
): Promise<HistoriesResult> {
  const random = seededRandom(seed);
  const result: HistoriesResult = { histories: 0, operations: 0, violations: [] };
  await inParallel({ count, atOnce: besideEachOther }, async (number) => {
    if (isFirstEnough && result.violations.length > 0) return;
    const history = await runOne(pair, { uid: `register-${seed}-${number}`, random });
    result.histories += 1;
    result.operations += history.length;
    if (!isLinearizable(history, 'initial')) result.violations.push(JSON.stringify(history));
  });
  return result;
}

async function runOne(
  pair: readonly [Sender, Sender],
  { uid, random }: { uid: string; random: Random },
): Promise<Operation[]> {
  const { id } = await pair[0].must('POST', '/api/apps', { uid, type: 'comments', name: 'initial' });
  const history: Operation[] = [];
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let n = 0; n < operationsOfClient; n += 1) {
        const node = pair[random.integer(0, 1)] ?? pair[0];
        const isWrite = random.oneIn(2);
        const value = `${client}.${n}`;
        const calledAt = performance.now();
        const answer = isWrite
          ? await node.send('PATCH', `/api/apps/${id}`, { name: value })
          : await node.send('GET', `/api/apps/${id}`);
        const answeredAt = answer !== undefined ? performance.now() : Number.POSITIVE_INFINITY;
        if (isWrite) history.push({ kind: 'write', value, calledAt, answeredAt });
        else if (answer !== undefined)
          history.push({ kind: 'read', value: String(answer.body.name), calledAt, answeredAt });
      }
    }),
  );
  return history;
}
