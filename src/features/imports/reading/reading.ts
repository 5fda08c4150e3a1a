import type { ImportKind } from '../../../contract/import-words.ts';
import type { ExportFile, ImportFile } from '../import-file.ts';
import { readDisqus } from './disqus.ts';
import { unpacked } from './unpack.ts';
import { readWordpress } from './wordpress.ts';

/** Reading an export: unpacks the file, takes its records apart and turns their texts into Markdown. */

/** Reads an export, also a packed one. Throws an `ImportError` when it cannot be read at all. */
export async function readExport(kind: ImportKind, packed: ExportFile): Promise<ImportFile> {
  const file = { ...packed, bytes: unpacked(packed) };
  return kind === 'wordpress' ? await readWordpress(file) : await readDisqus(file);
}
