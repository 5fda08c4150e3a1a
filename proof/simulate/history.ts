import { parentPort, workerData } from 'node:worker_threads';
import { plantIn } from './plants.ts';
import type { RunOptions } from './world.ts';

/**
 * The thread of one history, whose result it posts. The code under test keeps things in its modules, such as when the turn
 * of the event loop began, so a history follows from its seed only where these are new.
 */

const { plant, ...options } = workerData as RunOptions & { readonly plant: string };
if (plant !== '') plantIn(plant);
const { simulate } = await import('./world.ts');
parentPort?.postMessage(await simulate(options));
