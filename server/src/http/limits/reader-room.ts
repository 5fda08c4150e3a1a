import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Log } from '../../kernel/log.ts';
import { clientLimits } from './client-limits.ts';

/** How many clients without a credential may watch apps on this node, and whether its descriptors suffice for them. */

/** How much of the memory there is for each: they take 20 kB each, and so a fifth of it at most. */
const memoryBytesEach = 100_000;
/** What else needs descriptors: people with their own connections, uploads, and the files of the store. */
const otherDescriptors = 1024;

/** How many there may be by the setting; without one, as many as the memory has room for, and at most 10,000. */
export function visitorWatchesMaxOf(set: number | undefined, memoryBytes = usableMemory()): number {
  return set ?? Math.min(clientLimits.visitorWatchesMax, Math.floor(memoryBytes / memoryBytesEach));
}

/** The memory of this machine, or what the control group of this process may use of it. */
function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Warns where this process has too few file descriptors for that many clients. */
export function warnOfDescriptors(log: Log, watchesMax: number): void {
  const max = descriptorsMax();
  const needed = watchesMax + otherDescriptors;
  if (max !== undefined && max < needed)
    log.warn(
      { descriptors: max, needed, visitor_streams: watchesMax },
      'there are too few file descriptors for the readers that CONFAB_VISITOR_STREAMS allows: raise the limit of open files (LimitNOFILE, ulimit -n), or set a smaller number',
    );
}

/** How many files this process may have open; undefined where the system does not say it. */
function descriptorsMax(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
