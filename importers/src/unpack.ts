import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ExportFile, ImportError } from './import-file.ts';

/**
 * Unpacks an export while it is read: Disqus packs its exports with gzip. A few bytes can unpack to any number, so two
 * bounds end the reading early: what a server takes at all, and how many times its own size a file unpacks to. Exports
 * pack to a third or a tenth, and hardly ever to less than a fiftieth.
 */

/** How many times its own size a file unpacks to at most. */
const ratioMax = 100;
/** From how many unpacked bytes on that counts: a small file costs little, whatever it unpacks to. */
const ratioBytesMin = 16 * 1024 * 1024;

/** The bytes of a file, unpacked if it is packed. Throws an `ImportError` for a packed file that cannot be unpacked. */
export async function* unpacked(file: ExportFile): AsyncGenerator<Uint8Array> {
  const { name, unpackedBytesMax = Number.POSITIVE_INFINITY } = file;
  let packedBytes = 0;
  let unpackedBytes = 0;
  const packed = async function* () {
    for await (const chunk of withWholeStart(file.bytes)) {
      packedBytes += chunk.length;
      yield chunk;
    }
  };
  for await (const chunk of gunzipped(name, packed())) {
    unpackedBytes += chunk.length;
    if (unpackedBytes > unpackedBytesMax)
      throw new ImportError(
        name,
        `the file has more than ${unpackedBytesMax / 1024 ** 2} MiB unpacked: ${byCommand}`,
      );
    if (unpackedBytes > ratioBytesMin && unpackedBytes > packedBytes * ratioMax)
      throw new ImportError(
        name,
        `the file unpacks to more than ${ratioMax} times its size, as no export does`,
      );
    yield chunk;
  }
}

const byCommand = 'import it with the command confab import';

/** The same bytes, in chunks of which the first has at least the two that tell what a file is, if there are so many. */
async function* withWholeStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < 2) continue;
    yield start;
    start = undefined;
  }
  if (start !== undefined && start.length > 0) yield start;
}

/** The bytes that chunks are packed from with gzip, or the chunks as they are. */
async function* gunzipped(name: string, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { value: first } = (await chunks.next()) as { value: Uint8Array | undefined };
  if (first === undefined) return;
  const all = async function* () {
    yield first;
    yield* chunks;
  };
  try {
    if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* all();
    const gunzip = createGunzip();
    // An error of any part arrives in the loop over the last, and leaving that loop ends every part.
    pipeline(all(), gunzip, () => undefined);
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    // Not waited for: a chunk that is still asked for may never come.
    void chunks.return(undefined);
  }
}

function unreadable(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new ImportError(name, 'the packed file is cut off');
  return code.startsWith('Z_') ? new ImportError(name, 'the packed file is damaged') : error;
}
