/**
 * Reads the comments of utterances and of Gitalk, which are issues of GitHub: answers of its GraphQL interface, or the
 * lists of issues and of comments of its REST interface, one after the other (docs.github.com, REST API, Issues and Issue
 * comments; GraphQL, objects `Issue` and `IssueComment`). docs/migrating.md has the requests.
 *
 * Gitalk begins the text of an issue with the address of the page (`src/gitalk.jsx` of gitalk/gitalk), utterances ends it
 * with that (`src/github.ts` of utterance/utterances). The title is used where somebody wrote the text: that of utterances
 * can be a path without slash and extension, or `index` (`src/client.ts`).
 *
 * Only the GraphQL interface says which comments are hidden. The other one has all comments of long issues.
 */

import { createComments, wrongFile } from './comment-records.ts';
import {
  addConversation,
  type ConversationForm,
  type Conversations,
  lastAddress,
  missingNote,
  readAuthor,
} from './github.ts';
import { contentId } from './identity.ts';
import type { ExportFile, ImportedComment, ImportFile } from './import-file.ts';
import { createPages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { readJson } from './json-records.ts';
import { type Fields, fieldsIn, fieldsOf, isObject } from './record-fields.ts';

const form: ConversationForm = { noun: 'issue', commentId: 'fullDatabaseId', address: addressOf };

/** The issues of lists, with the number of comments that GitHub counts and that the file has. */
type Counted = Map<string, { title: string; counted: number; found: number }>;

/** Reads the whole file. Throws `ImportError` when it has no issues or cannot be read to its end. */
export async function readUtterances(file: ExportFile): Promise<ImportFile> {
  const parts: Conversations = { pages: createPages(file.site), comments: createComments(file), notes: [] };
  const counted: Counted = new Map();
  let isKnown = false;
  const arrays = await readJson(file, ['$', '$[]', '$[][]'], (_, record) => {
    const isRead = addAnswer(record, parts) || addItem(record, parts, counted);
    if (!isRead && !isKnown)
      throw wrongFile(
        file.name,
        'an answer of GitHub with issues',
        'it has neither issues nor comments of issues',
      );
    if (!isRead) parts.comments.add(record, unknown);
    isKnown = true;
  });
  if (!isKnown && arrays.size === 0)
    throw wrongFile(file.name, 'an answer of GitHub with issues', 'it has no list of issues');
  for (const { title, counted: count, found } of counted.values())
    if (count > found) parts.notes.push(missingNote('issue', title, count - found));
  return parts.comments.file('utterances', parts.pages, parts.notes);
}

/** Adds an answer of the GraphQL interface; returns whether the record is one. */
function addAnswer(record: JsonRecord, parts: Conversations): boolean {
  const data = within(record.value, 'data');
  const repository = within(data, 'repository');
  const lists = [within(within(repository, 'issues'), 'nodes'), within(within(data, 'search'), 'nodes')];
  const issue = within(repository, 'issue');
  const nodes = lists.find(Array.isArray) ?? (issue === undefined ? undefined : [issue]);
  if (nodes === undefined) return false;
  for (const value of nodes) if (isObject(value)) addConversation({ ...record, value }, form, parts);
  return true;
}

function within(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Adds an issue or a comment of the REST interface; returns whether the record is one. */
function addItem(record: JsonRecord, { pages, comments }: Conversations, counted: Counted): boolean {
  const { value } = record;
  if (fieldsIn(value, ['issue_url'])) {
    const page = fieldsOf(value).tolerant('issue_url');
    const issue = counted.get(page ?? '');
    if (issue !== undefined) issue.found += 1;
    comments.add(record, (fields) => readComment(fields, page));
    return true;
  }
  if (!fieldsIn(value, ['title', 'number'])) return false;
  const issue = fieldsOf(value);
  const page = issue.tolerant('url');
  // Pull requests are in the same list.
  if (page === undefined || issue.has('pull_request')) return true;
  const title = issue.tolerant('title');
  pages.add({ id: page, address: addressOf(issue), title });
  counted.set(page, { title: title ?? page, counted: Number(issue.tolerant('comments') ?? 0), found: 0 });
  return true;
}

function readComment(fields: Fields, page: string | undefined): ImportedComment {
  const author = readAuthor(fields.object('user'), 'html_url');
  const createdAt = fields.time('created_at');
  const text = fields.text('body') ?? '';
  return {
    sourceId: fields.id('id') ?? contentId([page, author.name, createdAt, text]),
    ...(page === undefined ? {} : { pageSourceId: page }),
    author,
    createdAt,
    text,
    status: 'approved',
    kind: 'comment',
  };
}

/** Fails for a record that is neither an issue nor a comment, with the fields that tell a comment. */
function unknown(fields: Fields): ImportedComment {
  return readComment(fields, undefined);
}

/** The address of the page: a line of the text, or else the title if it is an address or a path. */
function addressOf(issue: Fields): string | undefined {
  const lines = issue.tolerant('body')?.split('\n') ?? [];
  const address = lastAddress(lines.slice(0, 1)) ?? lastAddress(lines);
  if (address !== undefined) return address;
  const title = issue.tolerant('title');
  if (title === undefined || /\s/.test(title)) return undefined;
  return title === 'index' ? '/' : title;
}
