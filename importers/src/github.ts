/**
 * What GitHub answers about discussions and issues, which several systems keep comments in: connections of its GraphQL
 * interface, authors by their login, and comments that moderators have hidden.
 */

import type { Comments } from './comment-records.ts';
import { commentToMarkdown } from './html-to-markdown.ts';
import { contentId } from './identity.ts';
import type { ImportedAuthor, ImportedComment, ImportedStatus } from './import-file.ts';
import type { Pages } from './imported-pages.ts';
import type { JsonRecord } from './json-record-text.ts';
import { type Fields, fieldsOf, isObject } from './record-fields.ts';

/** What the conversations of a file are added to. */
export type Conversations = { readonly pages: Pages; readonly comments: Comments; readonly notes: string[] };

/** How a system uses conversations. */
export type ConversationForm = {
  /** What GitHub calls a conversation. */
  readonly noun: 'discussion' | 'issue';
  /** The field with the id of a comment. */
  readonly commentId: 'id' | 'fullDatabaseId';
  /** The address of the page that a conversation is about. */
  address(conversation: Fields): string | undefined;
};

/** Adds a discussion or an issue of the GraphQL interface, which is a page, with its comments. */
export function addConversation(record: JsonRecord, form: ConversationForm, parts: Conversations): void {
  const { pages, comments, notes } = parts;
  const conversation = fieldsOf(record.value);
  const title = conversation.tolerant('title');
  const page = conversation.tolerant('id') ?? contentId([title]);
  pages.add({ id: page, address: form.address(conversation), title });
  const missing = addAll(conversation, 'comments', (value) => {
    let id: string | undefined;
    comments.add({ ...record, value }, (fields) => {
      const comment = readComment(fields, form, { page });
      id = comment.sourceId;
      return comment;
    });
    if (!isObject(value)) return 0;
    return addAll(fieldsOf(value), 'replies', (reply) => {
      comments.add({ ...record, value: reply }, (fields) =>
        readComment(fields, form, { page, nestedIn: id }),
      );
      return 0;
    });
  });
  if (missing > 0) notes.push(missingNote(form.noun, title ?? page, missing));
}

/** The sentence about comments that GitHub counts and the file does not have. */
export function missingNote(noun: string, title: string, missing: number): string {
  const comments = missing === 1 ? 'comment' : 'comments';
  return `The ${noun} ${JSON.stringify(title)} has ${missing} more ${comments} than the file.`;
}

/** Adds the items of a connection; returns how many its count says that it has beyond those, and `add` returned. */
function addAll(fields: Fields, name: string, add: (value: unknown) => number): number {
  const connection = fields.connection(name);
  let missing = 0;
  for (const value of connection.nodes) missing += add(value);
  return missing + Math.max(0, connection.total - connection.nodes.length);
}

/** Where a comment stands: the id of its page, and of the comment that lists it among its replies. */
type CommentPlace = { readonly page: string; readonly nestedIn?: string | undefined };

function readComment(
  fields: Fields,
  form: ConversationForm,
  { page, nestedIn }: CommentPlace,
): ImportedComment {
  const author = readAuthor(fields.object('author'), 'url');
  const createdAt = fields.time('createdAt');
  const markdown = fields.text('body');
  const text = markdown ?? commentToMarkdown(fields.text('bodyHTML') ?? '');
  const parent = fields.object('replyTo')?.text('id') ?? nestedIn;
  return {
    sourceId: fields.id(form.commentId) ?? fields.id('id') ?? contentId([page, author.name, createdAt, text]),
    ...(parent === undefined ? {} : { parentSourceId: parent }),
    pageSourceId: page,
    author,
    createdAt,
    text,
    status: readStatus(fields),
    ...(parent === undefined && isResolved(fields) ? { isResolved: true } : {}),
    kind: 'comment',
  };
}

/**
 * The account of an author; an account that is gone is null in the GraphQL interface, and the user `ghost` in the other
 * one.
 */
export function readAuthor(author: Fields | undefined, urlField: 'url' | 'html_url'): ImportedAuthor {
  const login = author?.text('login');
  if (author === undefined || login === undefined || login === 'ghost') return { name: '' };
  const url = author.text(urlField);
  return { name: login, ...(url === undefined ? {} : { url }), username: login };
}

/** A comment that a moderator has hidden is minimized, with a reason; one that is resolved stays readable. */
function readStatus(fields: Fields): ImportedStatus {
  if (fields.text('deletedAt') !== undefined) return 'deleted';
  if (!fields.flag('isMinimized')) return 'approved';
  const reason = reasonOf(fields);
  if (reason === 'resolved') return 'approved';
  return reason === 'spam' ? 'spam' : 'trash';
}

/** Whether a comment is the answer of its discussion, or was hidden because what it says is resolved. */
function isResolved(fields: Fields): boolean {
  return fields.flag('isAnswer') || (fields.flag('isMinimized') && reasonOf(fields) === 'resolved');
}

function reasonOf(fields: Fields): string | undefined {
  return fields.text('minimizedReason')?.toLowerCase();
}

/** The last of some lines that is an address, as itself or as a link to itself. */
export function lastAddress(lines: readonly string[]): string | undefined {
  const addresses = lines.map(
    (line) => /^\s*(?:\[[^\]]*\]\()?(https?:\/\/[^\s()<>]+)\)?\s*$/i.exec(line)?.[1],
  );
  return addresses.findLast((address) => address !== undefined);
}
