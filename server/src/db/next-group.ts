import type { JobKind, Tx } from './db.ts';
import type { Writer } from './writer.ts';

/** Which of the jobs that wait make the next group (`group-commit.ts`). */

/** One write transaction that a caller waits for. */
export type Job = {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly kind: JobKind | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** The most jobs in one group, so that reads are not kept waiting behind a long one. */
const groupJobsMax = 256;

/** Whether two jobs can be in one group of an engine that answers after a while. */
export function isSameKind(one: JobKind | undefined, other: JobKind | undefined): boolean {
  if (typeof one === 'object' && typeof other === 'object') return one.among === other.among;
  return one === other;
}

/**
 * The next group out of those that wait: all of them where an engine answers at once, those that only add first, because
 * none has been answered and no client relies on their order. Else those of the kind of the first, because a group takes
 * as long as the kind that takes longest; of changes only those that can run beside each other.
 */
export function nextGroup(
  waiting: readonly Job[],
  { isImmediate }: Pick<Writer, 'isImmediate'>,
): readonly Job[] {
  const [first] = waiting;
  if (isImmediate || first === undefined) {
    const all = waiting.slice(0, groupJobsMax);
    return [...all.filter(isAdding), ...all.filter((job) => !isAdding(job))];
  }
  const group: Job[] = [];
  const keys = new Set<number | string>();
  for (const job of waiting) {
    if (group.length === groupJobsMax) break;
    if (!isSameKind(job.kind, first.kind)) continue;
    if (typeof job.kind === 'object') {
      if (keys.has(job.kind.key)) continue;
      keys.add(job.kind.key);
    }
    group.push(job);
  }
  return group;
}

function isAdding({ kind }: Job): boolean {
  return kind === 'adding';
}

/** Whether a job runs beside the others of its group, from the beginning of that. */
export function isConcurrent(job: Job | undefined, { isImmediate }: Pick<Writer, 'isImmediate'>): boolean {
  return !isImmediate && job?.kind !== undefined;
}

/**
 * How many events the jobs of a group append one by one: what adds has one, a change may have a second, such as a reaction in
 * place of another.
 */
export function eventsOf(group: readonly Job[]): number {
  return group.reduce((sum, { kind }) => sum + (kind === 'adding' ? 1 : (kind?.events ?? 2)), 0);
}
