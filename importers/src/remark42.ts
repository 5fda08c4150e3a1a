/**
 * Reads a backup of Remark42: one JSON value after the other, first the metadata of the site and then each comment
 * (`backend/app/migrator/native.go` and `backend/app/store/comment.go` of umputun/remark42).
 */

import { createComments, wrongFile } from './comment-records.ts';
import { commentToMarkdown, htmlToLine } from './html-to-markdown.ts';
import { contentId } from './identity.ts';
import type { ExportFile, ImportedAuthor, ImportFile } from './import-file.ts';
import { createPages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsOf, RecordFault } from './record-fields.ts';

/** The newest version of the format that this reader knows; older backups have none. */
const versionMax = 1;

/** Reads the whole backup. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readRemark42(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const comments = createComments(file);
  await readJson(file, ['$'], (_, record) => {
    if (record.number === 1) return assertHead(file.name, record);
    comments.add(record, (fields) => {
      const locator = fields.object('locator');
      const page = locator?.text('url');
      if (page !== undefined)
        pages.add({ id: page, address: page, title: htmlToLine(fields.text('title') ?? '') });
      const author = readAuthor(fields.object('user'));
      const createdAt = fields.time('time');
      const html = fields.text('text') ?? '';
      const host = pages.hostOf(page);
      const parent = fields.id('pid');
      const id = fields.id('id') ?? contentId([page, author.name, createdAt, html]);
      return {
        sourceId: `${host}/${id}`,
        ...(parent === undefined ? {} : { parentSourceId: `${host}/${parent}` }),
        ...(page === undefined ? {} : { pageSourceId: page }),
        author: { ...author, site: host },
        createdAt,
        // `orig`, the text as it was typed, is not used: Remark42 has escaped it as if it were html.
        text: commentToMarkdown(html),
        status: fields.flag('delete') ? 'deleted' : 'approved',
        kind: 'comment',
      };
    });
  });
  return comments.file('remark42', pages);
}

/** The first value is the metadata, by which a backup is known. */
function assertHead(path: string, { value }: JsonRecord): void {
  const kind = 'a backup of Remark42';
  try {
    const head = fieldsOf(value, { what: 'the first value' });
    if (!head.has('users') && !head.has('posts'))
      throw new RecordFault('its first value has neither "users" nor "posts"');
    const version = head.id('version') ?? '0';
    if (Number(version) > versionMax) throw new RecordFault(`version ${version} of its format is not known`);
  } catch (error) {
    throw error instanceof RecordFault ? wrongFile(path, kind, error.message) : error;
  }
}

/** The provider has verified the account, except of people who only typed a name. Names have entities. */
function readAuthor(user: Fields | undefined): ImportedAuthor {
  const username = user?.text('id');
  return {
    name: htmlToLine(user?.text('name') ?? ''),
    ...(username === undefined || username.startsWith('anonymous_') ? {} : { username }),
  };
}
