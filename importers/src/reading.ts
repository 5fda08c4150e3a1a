import type { ImportKind } from 'confab-contract/import-words.ts';
import { readArtalk } from './artalk.ts';
import { readBlogger } from './blogger.ts';
import { readComentario } from './comentario.ts';
import { readCommento } from './commento.ts';
import { readCusdis } from './cusdis.ts';
import { readDisqus } from './disqus.ts';
import { readFastcomments } from './fastcomments.ts';
import { readGiscus } from './giscus.ts';
import type { ExportFile, ImportFile } from './import-file.ts';
import { readIsso } from './isso.ts';
import { readRemark42 } from './remark42.ts';
import { readTwikoo } from './twikoo.ts';
import { unpacked } from './unpack.ts';
import { readUtterances } from './utterances.ts';
import { readValine } from './valine.ts';
import { readWaline } from './waline.ts';
import { readWordpress } from './wordpress.ts';

/** Reading an export: unpacks the file, takes its records apart and turns their texts into Markdown. */

const readers: Readonly<Record<ImportKind, (file: ExportFile) => Promise<ImportFile>>> = {
  wordpress: readWordpress,
  disqus: readDisqus,
  remark42: readRemark42,
  artalk: readArtalk,
  isso: readIsso,
  commento: readCommento,
  comentario: readComentario,
  cusdis: readCusdis,
  waline: readWaline,
  giscus: readGiscus,
  twikoo: readTwikoo,
  utterances: readUtterances,
  valine: readValine,
  fastcomments: readFastcomments,
  blogger: readBlogger,
};

/** Reads an export, also a packed one. Throws an `ImportError` when it cannot be read at all. */
export async function readExport(kind: ImportKind, packed: ExportFile): Promise<ImportFile> {
  return await readers[kind]({ ...packed, bytes: unpacked(packed) });
}
