/**
 * Reads Artrans, the export of Artalk: a JSON array with a flat object for each comment, in which every field is text
 * (`internal/artransfer/export.go` and `internal/entity/artran.go` of ArtalkJS/Artalk; https://artalk.js.org/guide/transfer.html).
 */

import { createComments, markdownOrHtml, wrongFile } from './comment-records.ts';
import { contentId } from './identity.ts';
import type { ExportFile, ImportedComment, ImportFile } from './import-file.ts';
import { createPages, type Pages } from './imported-pages.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsIn } from './record-fields.ts';

const kind = 'an Artrans file of Artalk';

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readArtalk(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  const arrays = await readJson(file, ['$[]'], (_, record) => {
    if (record.number === 1 && !fieldsIn(record.value, ['content', 'page_key']))
      throw wrongFile(file.name, kind, 'its first record has no "content" or no "page_key"');
    comments.add(record, (fields) => readComment(fields, pages));
  });
  if (!arrays.has('$[]')) throw wrongFile(file.name, kind, 'it is no list of comments');
  return comments.file('artalk', pages);
}

function readComment(fields: Fields, pages: Pages): ImportedComment {
  const key = fields.text('page_key');
  // A site may have several addresses; the first is the main one.
  const site = fields.text('site_urls')?.split(',')[0]?.trim();
  const page = key === undefined ? undefined : JSON.stringify([site, key]);
  if (page !== undefined)
    pages.add({
      id: page,
      address: key,
      site,
      title: fields.text('page_title'),
      isRestricted: fields.flag('page_admin_only'),
    });
  const host = pages.hostOf(page);
  const name = fields.text('nick') ?? '';
  const email = fields.text('email');
  const url = fields.text('link');
  const createdAt = fields.time('created_at');
  const text = fields.text('content') ?? '';
  const parent = fields.id('rid');
  return {
    sourceId: `${host}/${fields.id('id') ?? contentId([page, name, email, createdAt, text])}`,
    ...(parent === undefined || parent === '0' ? {} : { parentSourceId: `${host}/${parent}` }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author: {
      name,
      ...(email === undefined ? {} : { email }),
      ...(url === undefined ? {} : { url }),
      site: host,
    },
    createdAt,
    text: markdownOrHtml(text),
    status: fields.flag('is_pending') ? 'pending' : 'approved',
    kind: 'comment',
  };
}
