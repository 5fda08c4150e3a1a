/**
 * Reads the database of Isso: a SQLite file with the tables `threads` (pages) and `comments` (`isso/db/threads.py` and
 * `isso/db/comments.py` of isso-comments/isso). Its pages have paths alone.
 *
 * SQLite needs a file, so the bytes are written to a temporary one, which is removed afterwards.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createComments, markdownOrHtml } from './comment-records.ts';
import { ExternalDatabaseFault, openExternalDatabase } from './external-database.ts';
import { contentId } from './identity.ts';
import {
  type ExportFile,
  ImportError,
  type ImportedComment,
  type ImportedStatus,
  type ImportFile,
} from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import { type Fields, fieldsOf } from './record-fields.ts';

/** Every SQLite database begins with these characters (sqlite.org/fileformat.html, section 1.3). */
const magic = 'SQLite format 3\0';

/**
 * The columns that are read, with the most characters of each: one more than a comment may have, so that a longer one is
 * left out for its length without being read.
 */
const columns = {
  threads: { id: 100, uri: 4096, title: 1024 },
  comments: {
    id: 100,
    tid: 100,
    parent: 100,
    created: 100,
    mode: 100,
    text: 64 * 1024 + 1,
    author: 1024,
    email: 1024,
    website: 4096,
  },
} as const;

/** Reads the whole database. Throws `ImportError` when the file is none of Isso or is damaged. */
export async function readIsso(file: ExportFile): Promise<ImportFile> {
  const folder = await mkdtemp(join(tmpdir(), 'confab-import-'));
  try {
    const path = join(folder, 'comments.db');
    await pipeline(Readable.from(withMagic(file)), createWriteStream(path, { mode: 0o600 }));
    return readDatabase(file, path);
  } catch (error) {
    if (!(error instanceof ExternalDatabaseFault)) throw error;
    throw Object.assign(new ImportError(file.name, `this is not a database of Isso: ${error.message}`), {
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The bytes of the file. Throws as soon as they cannot be a database. */
async function* withMagic({ name, bytes }: ExportFile): AsyncGenerator<Uint8Array> {
  let start = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (start.length >= magic.length) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < magic.length) continue;
    if (start.toString('latin1', 0, magic.length) !== magic)
      throw new ImportError(name, 'this is not a database of Isso: it is no SQLite file');
    yield start;
  }
  if (start.length === 0) throw new ImportError(name, 'the file is empty');
  if (start.length < magic.length)
    throw new ImportError(name, 'this is not a database of Isso: it is no SQLite file');
}

function readDatabase(file: ExportFile, path: string): ImportFile {
  using database = openExternalDatabase(path, columns);
  const pages = createPages(file.site);
  for (const row of database.rows('threads')) {
    const fields = fieldsOf(row);
    const id = fields.tolerant('id');
    if (id !== undefined) pages.add({ id, address: fields.tolerant('uri'), title: fields.tolerant('title') });
  }
  const comments = createComments(file);
  let number = 0;
  for (const value of database.rows('comments')) {
    number += 1;
    comments.add({ number, value }, (fields) => readComment(fields, pages));
  }
  return comments.file('isso', pages);
}

function readComment(fields: Fields, pages: Pages): ImportedComment {
  const page = fields.id('tid');
  const host = pages.hostOf(page);
  const email = fields.text('email');
  const url = fields.text('website');
  const name = fields.text('author') ?? '';
  const createdAt = fields.time('created', { isInSeconds: true });
  const text = fields.text('text') ?? '';
  const parent = fields.id('parent');
  return {
    sourceId: `${host}/${fields.id('id') ?? contentId([page, name, email, createdAt, text])}`,
    ...(parent === undefined ? {} : { parentSourceId: `${host}/${parent}` }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author: {
      name,
      ...(email === undefined ? {} : { email }),
      ...(url === undefined ? {} : { url }),
      site: host,
    },
    createdAt,
    text: markdownOrHtml(text),
    status: readStatus(fields.id('mode')),
    kind: 'comment',
  };
}

/** 1 is shown, 2 waits for a moderator, and 4 is what is left of a deleted comment with replies. */
function readStatus(mode: string | undefined): ImportedStatus {
  if (mode === '1') return 'approved';
  return mode === '4' ? 'deleted' : 'pending';
}
