/**
 * Reads the comments of Twikoo: the list that its admin panel saves (`src/client/view/components/TkAdminExport.vue` and
 * `src/server/self-hosted/index.js` of twikoojs/twikoo, 1.7.19), its database in a file (LokiJS), or what `mongoexport`
 * and CloudBase write, one comment after the other.
 *
 * Twikoo removes what is deleted. `isSpam` is its only sign that a comment is hidden, whoever set it.
 */

import { type Comments, createComments, wrongFile } from './comment-records.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import { contentId } from './identity.ts';
import type { ExportFile, ImportedComment, ImportFile } from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsIn, isObject } from './record-fields.ts';

const kind = 'an export of Twikoo';

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readTwikoo(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  const assertKnown = ({ value }: JsonRecord) => {
    if (!fieldsIn(value, ['comment', 'created', 'url']))
      throw wrongFile(file.name, kind, 'its first record has no "comment", no "created" or no "url"');
  };
  let isKnown = false;
  const arrays = await readJson(file, ['$', '$[]'], (path, record) => {
    for (const each of path === '$' ? unwrapped(record) : [record]) {
      if (!isKnown) assertKnown(each);
      isKnown = true;
      add(comments, pages, each);
    }
  });
  if (!isKnown && !arrays.has('$[]')) throw wrongFile(file.name, kind, 'it has no comments');
  return comments.file('twikoo', pages);
}

/** The comments in a value of the file: in its database, in an answer of its interface, or the value itself. */
function unwrapped(record: JsonRecord): readonly JsonRecord[] {
  const { value } = record;
  if (!isObject(value)) return [record];
  const collections = value['collections'];
  const stored = Array.isArray(collections)
    ? collections.find((each) => isObject(each) && each['name'] === 'comment')
    : value;
  const rows = isObject(stored) ? stored['data'] : undefined;
  if (!Array.isArray(rows)) return Array.isArray(collections) ? [] : [record];
  return rows.map((row, index) => ({ ...record, number: index + 1, value: row }));
}

function add(comments: Comments, pages: Pages, record: JsonRecord): void {
  comments.add({ ...record, value: plain(record.value) }, (fields) => readComment(fields, pages));
}

/** The fields of a record with plain values where MongoDB has written their types. */
function plain(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutType(field)]));
}

function withoutType(field: unknown): unknown {
  if (!isObject(field)) return field;
  const number = field['$numberLong'] ?? field['$numberDouble'] ?? field['$numberInt'];
  return field['$oid'] ?? (number === undefined ? field : Number(number));
}

function readComment(fields: Fields, pages: Pages): ImportedComment {
  const page = addPage(fields, pages);
  const name = fields.text('nick') ?? '';
  const email = fields.text('mail');
  const url = fields.text('link');
  const createdAt = fields.time('created');
  const text = commentToMarkdown(fields.text('comment') ?? '');
  const parent = fields.id('pid') ?? fields.id('rid');
  return {
    sourceId: fields.id('_id') ?? fields.id('id') ?? contentId([page, name, email, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author: {
      name,
      ...(email === undefined ? {} : { email }),
      ...(url === undefined ? {} : { url }),
      site: pages.hostOf(page),
    },
    createdAt,
    text,
    status: fields.flag('isSpam') ? 'spam' : 'approved',
    kind: 'comment',
  };
}

/**
 * Adds the page of a comment. `url` is what the site calls it: mostly the path, which belongs to the site that was given
 * with the file, or else to that of `href`, the address at which the comment was written.
 */
function addPage(fields: Fields, pages: Pages): string | undefined {
  const href = fields.text('href');
  const page = fields.text('url') ?? href;
  if (page === undefined) return undefined;
  const isPath = /^(?:\/|https?:\/\/)/i.test(page);
  pages.add({ id: page, address: isPath ? page : (href ?? page), siteOtherwise: href });
  return page;
}
