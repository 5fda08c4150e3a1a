/**
 * Reads the comments of Cusdis, which has no export: the pages of comments of its dashboard, one after the other
 * (`service/comment.service.ts` of djyde/cusdis: `{"data":{"data":[…]}}` with replies nested in each comment), or the rows
 * of its tables as `{"pages":[…],"comments":[…]}` (`prisma/sqlite/schema.prisma`).
 *
 * The dashboard lists each reply a second time by itself, without saying what it replies to.
 */

import { createComments, wrongFile } from './comment-records.ts';
import { contentId } from './identity.ts';
import type { ExportFile, ImportedAuthor, ImportedComment, ImportFile } from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsIn, fieldsOf, isObject } from './record-fields.ts';

/** A comment with the id of the one in which it is nested. */
type Nested = { readonly record: JsonRecord; readonly parent: string | undefined };

const kind = 'a file with comments of Cusdis';
const listed = '$.data.data[]';
const stored = '$.comments[]';

/** Reads the whole file. Throws `ImportError` when it has no comments of Cusdis or cannot be read to its end. */
export async function readCusdis(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const found = new Map<string, Nested>();
  await readJson(file, [listed, stored, '$.pages[]'], (path, record) => {
    if (path === '$.pages[]') {
      if (isObject(record.value)) addPage(pages, fieldsOf(record.value));
      return;
    }
    // Other systems have lists of the same name.
    if (record.number === 1 && !fieldsIn(record.value, ['content', 'by_nickname']))
      throw wrongFile(file.name, kind, 'its first comment has no "content" or no "by_nickname"');
    for (const each of withReplies(record)) keep(found, each);
  });
  if (found.size === 0) throw wrongFile(file.name, kind, 'it has no comments');
  const comments = createComments(file);
  for (const { record, parent } of found.values())
    comments.add(record, (fields) => readComment(fields, pages, parent));
  return comments.file('cusdis', pages);
}

/** Keeps a comment once, with what it replies to if that is known. */
function keep(found: Map<string, Nested>, each: Nested): void {
  const { value } = each.record;
  const id = isObject(value) && typeof value['id'] === 'string' ? value['id'] : '';
  const key = id === '' ? `record ${found.size}` : `id ${id}`;
  const before = found.get(key);
  if (before === undefined || before.parent === undefined) found.set(key, each);
}

/** A comment and all that are nested in it, without recursion, because replies nest as deep as people like. */
function withReplies(record: JsonRecord): Nested[] {
  const all: Nested[] = [{ record, parent: undefined }];
  for (const each of all) {
    const { value } = each.record;
    const replies = isObject(value) && isObject(value['replies']) ? value['replies']['data'] : undefined;
    if (!isObject(value) || !Array.isArray(replies)) continue;
    const parent = typeof value['id'] === 'string' ? value['id'] : undefined;
    for (const reply of replies) all.push({ record: { ...record, value: reply }, parent });
  }
  return all;
}

/** Columns have names of their own in the tables. */
function readComment(fields: Fields, pages: Pages, nestedIn: string | undefined): ImportedComment {
  const ofPage = fields.object('page');
  if (ofPage !== undefined) addPage(pages, ofPage);
  const page = ofPage?.text('id') ?? fields.text('pageId');
  const author = readAuthor(fields, pages.hostOf(page));
  const createdAt = fields.time(fields.has('createdAt') ? 'createdAt' : 'created_at');
  const text = fields.text('content') ?? '';
  const parent = fields.text('parentId') ?? nestedIn;
  return {
    sourceId: fields.id('id') ?? contentId([page, author.name, author.email, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text,
    status: fields.tolerant('deletedAt') === undefined ? readApproval(fields) : 'deleted',
    kind: 'comment',
  };
}

function readApproval(fields: Fields): 'approved' | 'pending' {
  return fields.flag('approved') ? 'approved' : 'pending';
}

function readAuthor(fields: Fields, site: string): ImportedAuthor {
  const email = fields.text('by_email');
  return { name: fields.text('by_nickname') ?? '', ...(email === undefined ? {} : { email }), site };
}

/** The address of a page is that of its first comment; its slug is what the site calls it, often the path. */
function addPage(pages: Pages, fields: Fields): void {
  const id = fields.tolerant('id');
  if (id === undefined) return;
  pages.add({
    id,
    address: fields.tolerant('url') ?? fields.tolerant('slug'),
    title: fields.tolerant('title'),
  });
}
