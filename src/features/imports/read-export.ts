import type { ImportKind } from '../../contract/import-words.ts';
import { readDisqus } from './disqus.ts';
import type { ExportFile, ImportFile } from './import-file.ts';
import { readWordpress } from './wordpress.ts';

/** Reads an export. Throws an `ImportError` when it cannot be read at all. */
export async function readExport(kind: ImportKind, file: ExportFile): Promise<ImportFile> {
  return kind === 'wordpress' ? await readWordpress(file) : await readDisqus(file);
}
