import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from './runner.ts';

/** How often the loop is looked at, in milliseconds. */
const lookMs = 500;
/** A server that has used less than this part of the time between two looks has nothing to do. */
const idleMax = 0.05;
/** How many times a busy server is looked at before it is left alone. */
const looksMax = 20;

/**
 * Collects the garbage of the start when the server first has nothing to do, and gives the room back to the system. It happens
 * once: V8 drops compiled code as well, so what has warmed up would become slower (decision 0173). Does nothing where
 * Node runs without `--expose-gc`.
 */
export function startIdleRelease(log: Log): Loop {
  const { gc } = globalThis;
  let looks = 0;
  let usage = performance.eventLoopUtilization();
  return startLoop({
    name: 'giving memory back',
    log,
    async step() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, usage);
      usage = now;
      looks += 1;
      if (gc === undefined || looks > looksMax) return undefined;
      // The first look is at the end of the start and measures nothing.
      if (looks === 1 || utilization > idleMax) return lookMs;
      const bytes = getHeapStatistics().total_physical_size;
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      log.debug({ bytes, bytes_after: getHeapStatistics().total_physical_size }, 'gave memory back');
      return undefined;
    },
  });
}
