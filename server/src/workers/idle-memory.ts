import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How often the loop is looked at, in milliseconds. */
const lookMs = 500;
/** A server that has used less than this part of the time between two looks has nothing to do. */
const idleMax = 0.05;
/** How much the heap must have grown since it was collected last, in bytes. */
const grownBytesMin = 16 * 1024 * 1024;

/**
 * Collects garbage while a server has nothing to do, and gives the room back to the system. V8 by itself does so when the
 * heap has doubled, perhaps hours later. It takes 20 to 40 ms, which a request waits that comes within (decision 0173).
 * Does nothing where Node runs without `--expose-gc`.
 */
export function startGivingMemoryBack(log: Log): Loop {
  const { gc } = globalThis;
  let bytesBefore = 0;
  let usage = performance.eventLoopUtilization();
  return startLoop({
    name: 'giving memory back',
    log,
    async step() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, usage);
      usage = now;
      if (gc === undefined) return undefined;
      const bytes = getHeapStatistics().total_physical_size;
      if (utilization > idleMax || bytes - bytesBefore < grownBytesMin) return lookMs;
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      bytesBefore = getHeapStatistics().total_physical_size;
      log.debug({ bytes, bytes_after: bytesBefore }, 'gave memory back');
      return lookMs;
    },
  });
}
