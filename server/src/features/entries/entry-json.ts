import { timestamp } from 'confab-contract/values/time.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { isHeld } from '../../access/held.ts';
import { type Json, json, jsonArray } from '../../kernel/json.ts';
import type { Principal, Via } from '../../kernel/principal.ts';
import { type EntryEnd, entryEnd } from '../../second-form/shapes/entry.ts';
import type { RenderedText } from '../markdown/markdown.ts';
import { renderFor } from '../markdown/render.ts';
import { type QueuedItem, queuedItem } from '../moderation/queue.ts';

/** The author's input, and the forms rendered from it. An absent field has no value. */
export type Content = {
  readonly text?: string;
  readonly html?: string;
  readonly plain?: string;
  readonly embed_id?: number;
  readonly meeting_id?: number;
  readonly metadata?: Record<string, unknown>;
  readonly tags: readonly string[];
  /** The protocol through which a program wrote this; absent for plain HTTP. */
  readonly via?: Via;
};

/** A content with the protocol of the caller who writes it, in place of the protocol of an earlier text. */
export function writtenBy({ via }: Pick<Principal, 'via'>, { via: _, ...content }: Content): Content {
  return via === undefined ? content : { ...content, via };
}

/** The fields of a text, rendered from its Markdown. */
export type RenderedFields = Pick<Content, 'text' | 'html' | 'plain'>;

/** Renders a text of a caller; a promise for a long text (`renderFor`). */
export function renderText(
  caller: Pick<Principal, 'kind'>,
  text: string | null | undefined,
): RenderedFields | Promise<RenderedFields> {
  if (text === null || text === undefined) return {};
  const fieldsOf = ({ html, plain }: RenderedText) => ({ text, html, plain });
  const rendered = renderFor(caller, text);
  return rendered instanceof Promise ? rendered.then(fieldsOf) : fieldsOf(rendered);
}

/** The rendered parts of an entry that depend on other rows or on the caller. */
export type EntryParts = {
  /** From after its stored JSON to before its closing brace (`renderEnd`). */
  readonly end: string;
  /** Additional fields by name, such as parent and created_by. */
  readonly fields: { readonly [name: string]: Json | undefined };
};

/** The columns of an entry that its stored content repeats. */
type Facts = Pick<
  EntryRow,
  | 'appId'
  | 'attachmentCount'
  | 'optionCount'
  | 'createdAt'
  | 'createdById'
  | 'modifiedAt'
  | 'modifiedById'
  | 'trashedAt'
  | 'heldAt'
  | 'lockedAt'
  | 'replyToId'
  | 'rootId'
  | 'resolvedAt'
  | 'resolvedById'
>;

/**
 * The stored JSON of an entry: everything that a list shows of it except its id, which is not known yet, and parts that
 * depend on other rows. It is rendered whenever the row is written, so a page of comments is cheap to read.
 */
export function renderContent(facts: Facts, content: Content): string {
  return JSON.stringify({
    app_id: facts.appId,
    ...(facts.replyToId === null ? {} : { reply_to_id: facts.replyToId }),
    ...(facts.rootId === null ? {} : { root_id: facts.rootId }),
    ...content,
    attachment_count: facts.attachmentCount,
    option_count: facts.optionCount,
    created_at: timestamp(facts.createdAt),
    created_by_id: facts.createdById,
    ...(facts.modifiedAt === null ? {} : { modified_at: timestamp(facts.modifiedAt) }),
    ...(facts.modifiedById === null ? {} : { modified_by_id: facts.modifiedById }),
    ...(facts.lockedAt === null ? {} : { locked_at: timestamp(facts.lockedAt) }),
    ...(facts.resolvedAt === null ? {} : { resolved_at: timestamp(facts.resolvedAt) }),
    ...(facts.resolvedById === null ? {} : { resolved_by_id: facts.resolvedById }),
    ...(isHeld(facts) ? { is_trashed: false, is_held: true } : { is_trashed: facts.trashedAt !== null }),
  });
}

/** The author's input, from the stored JSON. */
export function contentOf(stored: string): Content {
  const { text, html, plain, embed_id, meeting_id, metadata, tags, via } = JSON.parse(stored);
  const all = { text, html, plain, embed_id, meeting_id, metadata, tags, via };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Content;
}

/** An entry as moderators see it in their queue. */
export function queuedEntry(entry: EntryRow): QueuedItem {
  return queuedItem(entry, { type: entry.kind, text: contentOf(entry.content).plain });
}

/** An entry as the API returns it: the stored JSON with its parts spliced in. */
export function renderEntry(entry: Pick<EntryRow, 'id' | 'content'>, parts: EntryParts): Json {
  return json(`{"id":${entry.id},${renderFields(parts)}${entry.content.slice(1, -1)}${parts.end}}`);
}

/** The additional fields of an entry, which stand before its stored JSON. */
export function renderFields({ fields }: Pick<EntryParts, 'fields'>): string {
  let text = '';
  for (const name in fields) if (fields[name] !== undefined) text += `"${name}":${fields[name]},`;
  return text;
}

/** The end of an entry for a caller, with what it ends with. */
export function renderEnd(caller: Pick<Principal, 'form'>, things: EntryEnd): string {
  if (caller.form !== undefined) return entryEnd(things);
  const { attachments, options, reactions } = things;
  return `,"attachments":${jsonArray(attachments)},"options":${jsonArray(options)},"reactions":${jsonArray(reactions)}`;
}

/** The parent of an entry: its id and type. */
export function renderParent(entry: Pick<EntryRow, 'parentId' | 'parentType'>): Json {
  return json(`{"id":${entry.parentId},"type":"${entry.parentType}"}`);
}
