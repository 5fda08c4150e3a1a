import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readExport } from 'confab-importers/reading.ts';

/** What a reader makes of a file. */
export type ReadFile = Awaited<ReturnType<typeof readExport>>;
type Kind = Parameters<typeof readExport>[0];

/** A refusal: the message, and its sentence without the name of the file and the position. */
export type Refusal = { readonly message: string; readonly sentence: string };

/** Reads a file named `export`, in one piece. */
export async function read(kind: Kind, content: string | Uint8Array, site?: string): Promise<ReadFile> {
  return await readBytes(kind, Readable.from([Buffer.from(content)]), site);
}

/** Reads a file named `export` in the pieces that it is given in. */
export async function readBytes(
  kind: Kind,
  bytes: AsyncIterable<Uint8Array>,
  site?: string,
): Promise<ReadFile> {
  return await readExport(kind, { name: 'export', site, bytes });
}

/** The refusal of a file. Fails if the file is read, or fails in another way than by a refusal. */
export async function refusalOf(reading: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await reading.then(
    () => assert.fail('the file was read'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error && error.name === 'ImportError' && 'sentence' in error, String(error));
  return { message: error.message, sentence: String(error.sentence) };
}

/** The message of the refusal of a file with this content. */
export async function refusal(kind: Kind, content: string | Uint8Array): Promise<string> {
  return (await refusalOf(read(kind, content))).message;
}
