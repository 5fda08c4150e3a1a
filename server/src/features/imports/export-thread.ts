import { parentPort, workerData } from 'node:worker_threads';
import type { ImportKind, RepliesAs } from 'confab-contract/import-words.ts';
import { type FilePosition, ImportError } from 'confab-importers/import-file.ts';
import { readExport } from 'confab-importers/reading.ts';
import { planImport } from './import-plan.ts';
import type { ImportReport } from './import-report.ts';
import { type Heads, type Slice, sourceOf } from './import-source.ts';

/** The thread that reads the exports of `export-reader.ts`, one each. */

/** The most bytes of an export that a server reads, unpacked: twice the largest upload. */
const unpackedBytesMax = 1024 ** 3;

/** The export that the thread is to read, whose bytes it gets as its standard input. */
export type ExportToRead = {
  readonly kind: ImportKind;
  readonly name: string;
  readonly replies: RepliesAs;
  readonly site: string | undefined;
};

/** A request to the thread once it has read the file. */
export type ExportQuestion = { readonly asks: 'heads' | 'slice'; readonly from: number };

/** A response of the thread: first the report or the fault of the file, then one for each request in order. */
export type ExportAnswer =
  | { readonly report: ImportReport }
  | { readonly fault: string; readonly position: FilePosition | undefined }
  | { readonly heads: Heads }
  | { readonly slice: Slice };

const { kind, name, replies, site } = workerData as ExportToRead;

function answer(given: ExportAnswer): void {
  parentPort?.postMessage(given);
}

try {
  const source = sourceOf(
    planImport(await readExport(kind, { name, site, bytes: process.stdin, unpackedBytesMax }), { replies }),
  );
  parentPort?.on('message', ({ asks, from }: ExportQuestion) => {
    answer(asks === 'heads' ? { heads: source.heads(from) } : { slice: source.slice(from) });
  });
  answer({ report: source.report });
} catch (error) {
  if (!(error instanceof ImportError)) throw error;
  answer({ fault: error.sentence, position: error.position });
}
