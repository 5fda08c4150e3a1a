/**
 * Reads an export of Comentario 3: version 3 of its JSON, with pages, comments and commenters
 * (`internal/svc/import_export_comentario.go` of comentario/comentario on GitLab; docs.comentario.app, Export format).
 * It does not say the host of the pages.
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

const kind = 'an export of Comentario';

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readComentario(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const records: JsonRecord[] = [];
  const commenters = new Map<string, unknown>();
  let version: unknown;
  const paths = ['$.version', '$.pages[]', '$.comments[]', '$.commenters[]'];
  // Commenters come after the comments that name them.
  const arrays = await readJson(file, paths, (path, record) => {
    const { value } = record;
    if (path === '$.version') version = value;
    else if (path === '$.comments[]') records.push(record);
    else if (!isObject(value)) return;
    else if (path === '$.commenters[]') commenters.set(String(value['id']), value);
    else addPage(pages, fieldsOf(value));
  });
  if (version === 1)
    throw wrongFile(
      file.name,
      kind,
      'it is an export of Commento or Comentario 2: import it as one of Commento',
    );
  if (version !== 3) throw wrongFile(file.name, kind, 'its "version" is not 3');
  if (!arrays.has('$.comments[]')) throw wrongFile(file.name, kind, 'it has no list "comments"');
  const comments = createComments(file);
  for (const record of records) comments.add(record, (fields) => readComment(fields, pages, commenters));
  return comments.file('comentario', pages);
}

function addPage(pages: Pages, fields: Fields): void {
  const id = fields.tolerant('id');
  if (id !== undefined) pages.add({ id, address: fields.tolerant('path'), title: fields.tolerant('title') });
}

function readComment(
  fields: Fields,
  pages: Pages,
  commenters: ReadonlyMap<string, unknown>,
): ImportedComment {
  const page = fields.text('pageId');
  const author = readAuthor(fields, commenters, pages.hostOf(page));
  const createdAt = fields.time('createdTime');
  const text = fields.text('markdown') ?? '';
  const parent = fields.text('parentId');
  return {
    sourceId: fields.id('id') ?? contentId([page, author.name, author.email, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text: markdownOrHtml(text),
    status: readStatus(fields),
    kind: 'comment',
  };
}

/** The commenter of a comment. People without an account may have given a name. */
function readAuthor(fields: Fields, commenters: ReadonlyMap<string, unknown>, site: string): ImportedAuthor {
  const id = fields.text('userCreated');
  const row = commenters.get(id ?? '');
  if (row === undefined) return { name: fields.text('authorName') ?? '', site };
  const commenter = fieldsOf(row);
  const email = commenter.text('email');
  const url = commenter.text('websiteUrl');
  return {
    name: commenter.text('name') ?? '',
    ...(email === undefined ? {} : { email }),
    ...(url === undefined ? {} : { url }),
    ...(id === undefined ? {} : { username: id }),
  };
}

/** A comment that is neither approved nor pending was rejected. */
function readStatus(fields: Fields): ImportedStatus {
  if (fields.flag('isDeleted')) return 'deleted';
  return fields.flag('isApproved') && !fields.flag('isPending') ? 'approved' : 'pending';
}
