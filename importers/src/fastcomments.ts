/**
 * Reads the comments of FastComments: answers of `GET /api/v1/comments`, one after the other, with replies in the same list
 * or nested in `children` (docs.fastcomments.com, The FastComments API, Comment Structure). What the columns of its CSV
 * export are is not documented.
 */

import { createComments, wrongFile } from './comment-records.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
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
import { type Fields, fieldsIn, isObject } from './record-fields.ts';

const kind = 'a file with comments of FastComments';

/** Reads the whole file. Throws `ImportError` when it has no comments of FastComments or cannot be read to its end. */
export async function readFastcomments(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  let isKnown = false;
  const arrays = await readJson(file, ['$.comments[]', '$[]'], (_, record) => {
    if (!isKnown && !fieldsIn(record.value, ['commenterName', 'comment', 'urlId']))
      throw wrongFile(
        file.name,
        kind,
        'its first comment has no "commenterName", no "comment" or no "urlId"',
      );
    isKnown = true;
    for (const each of withChildren(record)) comments.add(each, (fields) => readComment(fields, pages));
  });
  if (arrays.size === 0) throw wrongFile(file.name, kind, 'it has no list "comments"');
  return comments.file('fastcomments', pages);
}

/** A comment and all that are nested in it, without recursion, because replies nest as deep as people like. */
function withChildren(record: JsonRecord): readonly JsonRecord[] {
  const all = [record];
  for (const { value } of all) {
    const children = isObject(value) ? value['children'] : undefined;
    if (Array.isArray(children)) for (const child of children) all.push({ ...record, value: child });
  }
  return all;
}

function readComment(fields: Fields, pages: Pages): ImportedComment {
  const page = fields.text('urlId');
  if (page !== undefined)
    pages.add({
      id: page,
      address: fields.text('url') ?? fields.text('urlIdRaw') ?? page,
      title: fields.text('pageTitle'),
    });
  const author = readAuthor(fields, pages.hostOf(page));
  const createdAt = fields.time('date');
  const html = fields.text('commentHTML');
  const text = html === undefined ? (fields.text('comment') ?? '') : commentToMarkdown(html);
  const parent = fields.id('parentId');
  return {
    sourceId:
      fields.id('id') ?? fields.id('_id') ?? contentId([page, author.name, author.email, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text,
    status: readStatus(fields),
    kind: 'comment',
  };
}

/** FastComments makes a user of each name and address that is typed in. Only some are verified. */
function readAuthor(fields: Fields, site: string): ImportedAuthor {
  const email = fields.text('commenterEmail');
  const url = fields.text('commenterLink');
  const user = fields.flag('verified') ? fields.id('userId') : undefined;
  return {
    name: fields.text('commenterName') ?? '',
    ...(email === undefined ? {} : { email }),
    ...(url === undefined ? {} : { url }),
    ...(user === undefined ? {} : { username: user }),
    site,
  };
}

function readStatus(fields: Fields): ImportedStatus {
  if (fields.flag('isDeleted')) return 'deleted';
  if (fields.flag('isSpam')) return 'spam';
  return fields.has('approved') && !fields.flag('approved') ? 'pending' : 'approved';
}
