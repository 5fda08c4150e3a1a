/**
 * Reads the comments of Valine: the class `Comment` as LeanCloud exports it, a line that begins with `#filetype` and then
 * one comment after the other (`src/index.js` of xCss/Valine, 1.5.3, for the fields), or as its REST interface lists it, in
 * an array `results`. Waline on LeanCloud keeps its comments in the same class, with a status and in Markdown.
 *
 * Valine has no field for hidden comments; who may read one is in its `ACL`. Tools that look for spam set `isSpam`.
 */

import { createComments, markdownOrHtml, wrongFile } from './comment-records.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import { contentId } from './identity.ts';
import type { ExportFile, ImportedComment, ImportedStatus, ImportFile } from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsIn, isObject } from './record-fields.ts';

const kind = 'an export of the class Comment of LeanCloud';

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readValine(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  let isKnown = false;
  const bytes = withoutHeader(file.bytes);
  const arrays = await readJson({ ...file, bytes }, ['$', '$[]'], (path, record) => {
    for (const each of path === '$' ? unwrapped(record) : [record]) {
      if (!isKnown && !fieldsIn(each.value, ['objectId', 'comment', 'url']))
        throw wrongFile(file.name, kind, 'its first record has no "objectId", no "comment" or no "url"');
      isKnown = true;
      comments.add(each, (fields) => readComment(fields, pages));
    }
  });
  if (!isKnown && !arrays.has('$[]')) throw wrongFile(file.name, kind, 'it has no comments');
  return comments.file('valine', pages);
}

/** The bytes without a first line that begins with `#`, in whose place is an empty one. */
async function* withoutHeader(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isInHeader: boolean | undefined;
  for await (const chunk of chunks) {
    isInHeader ??= chunk[0] === 0x23;
    const end = isInHeader ? chunk.indexOf(0x0a) : 0;
    if (end < 0) continue;
    isInHeader = false;
    yield chunk.subarray(end);
  }
}

/** The comments in a value of the file: the value itself, or those that it lists. */
function unwrapped(record: JsonRecord): readonly JsonRecord[] {
  const rows = isObject(record.value) ? record.value['results'] : undefined;
  if (!Array.isArray(rows)) return [record];
  return rows.map((value, index) => ({ ...record, number: index + 1, value }));
}

function readComment(fields: Fields, pages: Pages): ImportedComment {
  const page = fields.text('url');
  if (page !== undefined) pages.add({ id: page, address: page });
  const name = fields.text('nick') ?? '';
  const email = fields.text('mail');
  const url = fields.text('link');
  // After a move to LeanCloud, `createdAt` is the time of the move.
  const createdAt = fields.time(fields.has('insertedAt') ? 'insertedAt' : 'createdAt');
  const text = fields.text('comment') ?? '';
  const parent = fields.id('pid') ?? fields.id('rid');
  return {
    sourceId: fields.id('objectId') ?? contentId([page, name, email, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author: {
      name,
      ...(email === undefined ? {} : { email }),
      ...(url === undefined ? {} : { url }),
      site: pages.hostOf(page),
    },
    createdAt,
    text: fields.has('status') ? markdownOrHtml(text) : commentToMarkdown(withoutMention(text)),
    status: readStatus(fields),
    kind: 'comment',
  };
}

/** Valine begins a reply with a link to what it answers, which the thread shows. */
function withoutMention(html: string): string {
  return html.replace(/^<p><a class="at" href="#[^"]*">[^<]*<\/a>\s*,?\s*/, '<p>');
}

function readStatus(fields: Fields): ImportedStatus {
  const status = fields.text('status') ?? 'approved';
  if (status === 'spam' || fields.flag('isSpam')) return 'spam';
  return status === 'approved' && isPublic(fields) ? 'approved' : 'pending';
}

/** Whether everybody may read the comment; where nothing is said, everybody may. */
function isPublic(fields: Fields): boolean {
  const access = fields.object('ACL');
  return access === undefined || access.object('*')?.flag('read') === true;
}
