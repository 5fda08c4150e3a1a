/**
 * Reads an export of Waline: a JSON object with the rows of its tables, of which comments and users are read
 * (`packages/server/src/controller/db.js` and `controller/comment.js` of walinejs/waline). The address of the export
 * wraps the same object in `data`.
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

const kind = 'an export of Waline';
const commentPaths = ['$.data.Comment[]', '$.data.data.Comment[]'];
const userPaths = ['$.data.Users[]', '$.data.data.Users[]'];
const typePaths = ['$.type', '$.data.type'];

/** Reads the whole export. Throws `ImportError` when the file is none or cannot be read to its end. */
export async function readWaline(file: ExportFile): Promise<ImportFile> {
  const pages = createPages(file.site);
  const records: JsonRecord[] = [];
  const users = new Map<string, unknown>();
  let type: unknown;
  // Users come after the comments that name them.
  const arrays = await readJson(file, [...commentPaths, ...userPaths, ...typePaths], (path, record) => {
    const { value } = record;
    if (commentPaths.includes(path)) records.push(record);
    else if (typePaths.includes(path)) type = value;
    else if (isObject(value)) users.set(String(value['objectId']), value);
  });
  if (type !== 'waline') throw wrongFile(file.name, kind, 'its "type" is not "waline"');
  if (!commentPaths.some((path) => arrays.has(path)))
    throw wrongFile(file.name, kind, 'it has no list "Comment"');
  const comments = createComments(file);
  for (const record of records) comments.add(record, (fields) => readComment(fields, pages, users));
  return comments.file('waline', pages);
}

function readComment(fields: Fields, pages: Pages, users: ReadonlyMap<string, unknown>): ImportedComment {
  const page = fields.text('url');
  if (page !== undefined) pages.add({ id: page, address: page });
  const host = pages.hostOf(page);
  const author = readAuthor(fields, host, users);
  const createdAt = fields.time(fields.has('insertedAt') ? 'insertedAt' : 'createdAt');
  const text = fields.text('comment') ?? '';
  const parent = fields.id('pid') ?? fields.id('rid');
  return {
    sourceId: `${host}/${fields.id('objectId') ?? contentId([page, author.name, author.email, createdAt, text])}`,
    ...(parent === undefined || parent === '0' ? {} : { parentSourceId: `${host}/${parent}` }),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text: markdownOrHtml(text),
    status: readStatus(fields.text('status')),
    kind: 'comment',
  };
}

/** A user's name is that of the account, as Waline shows it. Accounts are numbered anew on each site. */
function readAuthor(fields: Fields, host: string, users: ReadonlyMap<string, unknown>): ImportedAuthor {
  const id = fields.id('user_id');
  const row = id === undefined ? undefined : users.get(id);
  const user = row === undefined ? undefined : fieldsOf(row);
  const email = user?.text('email') ?? fields.text('mail');
  const url = user?.text('url') ?? fields.text('link');
  return {
    name: user?.text('display_name') ?? fields.text('nick') ?? '',
    ...(email === undefined ? {} : { email }),
    ...(url === undefined ? {} : { url }),
    ...(user === undefined ? {} : { username: `${host}/${id}` }),
    site: host,
  };
}

/** A comment without a status is from before Waline had one, and is shown. */
function readStatus(status = 'approved'): ImportedStatus {
  if (status === 'spam') return 'spam';
  return status === 'approved' ? 'approved' : 'pending';
}
