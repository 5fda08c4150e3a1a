/**
 * Reads an export of Commento or Commento++: version 1 of its JSON, with comments and commenters
 * (`api/domain_export_begin.go` of souramoo/commentoplusplus; test data in
 * `backend/app/migrator/testdata/commento.json` of umputun/remark42). Comentario 2 wrote the same with `host` instead of
 * `domain`.
 */

import { createComments, markdownOrHtml, wrongFile } from './comment-records.ts';
import { contentId } from './identity.ts';
import type {
  ExportFile,
  ImportedAuthor,
  ImportedComment,
  ImportedStatus,
  ImportFile,
} from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsOf, isObject } from './record-fields.ts';

const kind = 'an export of Commento';

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readCommento(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const records: JsonRecord[] = [];
  const commenters = new Map<string, unknown>();
  let version: unknown;
  // Commenters come after the comments that name them.
  const arrays = await readJson(file, ['$.version', '$.comments[]', '$.commenters[]'], (path, record) => {
    const { value } = record;
    if (path === '$.version') version = value;
    else if (path === '$.comments[]') records.push(record);
    else if (isObject(value)) commenters.set(String(value['commenterHex']), value);
  });
  if (version === 3) throw wrongFile(file.name, kind, 'it is an export of Comentario');
  if (version !== 1) throw wrongFile(file.name, kind, 'its "version" is not 1');
  if (!arrays.has('$.comments[]')) throw wrongFile(file.name, kind, 'it has no list "comments"');
  const comments = createComments(file);
  for (const record of records) comments.add(record, (fields) => readComment(fields, pages, commenters));
  return comments.file('commento', pages);
}

function readComment(
  fields: Fields,
  pages: Pages,
  commenters: ReadonlyMap<string, unknown>,
): ImportedComment {
  const domain = fields.text('domain') ?? fields.text('host');
  const path = fields.text('path') ?? fields.text('url');
  const page = path === undefined ? undefined : JSON.stringify([domain, path]);
  if (page !== undefined)
    pages.add({ id: page, address: path, site: domain === undefined ? undefined : `https://${domain}` });
  const author = readAuthor(fields.text('commenterHex'), commenters, pages.hostOf(page));
  const createdAt = fields.time('creationDate');
  const text = fields.text('markdown') ?? '';
  const parent = fields.text('parentHex');
  return {
    sourceId: fields.id('commentHex') ?? contentId([page, author.name, author.email, createdAt, text]),
    ...(parent === undefined || parent === 'root' ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text: markdownOrHtml(text),
    status: fields.flag('deleted') || text === '[deleted]' ? 'deleted' : readStatus(fields.text('state')),
    kind: 'comment',
  };
}

/** The commenter of a comment; one whom the file does not describe is anonymous. */
function readAuthor(
  id: string | undefined,
  commenters: ReadonlyMap<string, unknown>,
  site: string,
): ImportedAuthor {
  const row = commenters.get(id ?? '');
  if (row === undefined) return { name: '', site };
  const commenter = fieldsOf(row);
  const email = commenter.text('email');
  const url = commenter.text('link') ?? commenter.text('websiteUrl');
  return {
    name: commenter.text('name') ?? '',
    ...(email === undefined ? {} : { email }),
    ...(url === undefined ? {} : { url }),
    ...(id === undefined ? {} : { username: id }),
  };
}

function readStatus(state: string | undefined): ImportedStatus {
  if (state === 'flagged') return 'spam';
  return state === 'approved' ? 'approved' : 'pending';
}
