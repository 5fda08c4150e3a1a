import { fdatasyncSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread that copies the log of `checkpoints.ts` back: once for each message, which it then returns. */

/** The input of the thread: the path of the store, and a descriptor of it. */
export type CheckpointFile = { readonly file: string; readonly descriptor: number };

const { file, descriptor } = workerData as CheckpointFile;
const database = new DatabaseSync(file, { timeout: 0 });
database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0');
const copyBack = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (message: unknown) => {
  copyBack.get();
  // SQLite syncs only when all of the log is copied, and whoever copies the last pages would wait for all the others.
  fdatasyncSync(descriptor);
  parentPort?.postMessage(message);
});
