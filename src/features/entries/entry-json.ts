import { timestamp } from '../../kernel/clock.ts';
import { type Json, json, jsonArray } from '../../kernel/json.ts';
import type { EntryRow } from '../access/entry.sql.ts';
import { renderMarkdown } from '../markdown/markdown.ts';

/** What a person wrote and what came of it. A member that is absent has no value. */
export type Content = {
  readonly text?: string;
  readonly html?: string;
  readonly plain?: string;
  readonly embed_id?: number;
  readonly meeting_id?: number;
  readonly metadata?: Record<string, unknown>;
  readonly tags: readonly string[];
};

/** The content of a text as Markdown. */
export function renderText(text: string | null | undefined): Pick<Content, 'text' | 'html' | 'plain'> {
  if (text === null || text === undefined) return {};
  const { html, plain } = renderMarkdown(text);
  return { text, html, plain };
}

/** What of an entry depends on other rows or on the caller. */
export type EntryParts = {
  readonly attachments: readonly string[];
  readonly options: readonly string[];
  readonly reactions: readonly string[];
  /** More members of the object, rendered, by name: parent, created_by and the like. */
  readonly members: { readonly [name: string]: Json | undefined };
};

/** The columns of an entry that its content repeats in the words of the wire. */
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
>;

/**
 * What is stored of an entry for reading: all that a list shows of it, but for its id, which is not known yet, and for
 * what depends on other rows. It is rendered whenever the row is written, which is what makes a page of comments cheap.
 */
export function renderContent(facts: Facts, content: Content): string {
  return JSON.stringify({
    app_id: facts.appId,
    ...content,
    attachment_count: facts.attachmentCount,
    option_count: facts.optionCount,
    created_at: timestamp(facts.createdAt),
    created_by_id: facts.createdById,
    ...(facts.modifiedAt === null ? {} : { modified_at: timestamp(facts.modifiedAt) }),
    ...(facts.modifiedById === null ? {} : { modified_by_id: facts.modifiedById }),
    is_trashed: facts.trashedAt !== null,
  });
}

/** What a person wrote, from what is stored. */
export function contentOf(stored: string): Content {
  const { text, html, plain, embed_id, meeting_id, metadata, tags } = JSON.parse(stored);
  const all = { text, html, plain, embed_id, meeting_id, metadata, tags };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Content;
}

/** An entry in the words of the wire: what is stored, with what depends on other rows spliced in. */
export function renderEntry(entry: Pick<EntryRow, 'id' | 'content'>, parts: EntryParts): Json {
  let members = '';
  for (const name in parts.members)
    if (parts.members[name] !== undefined) members += `"${name}":${parts.members[name]},`;
  return json(
    `{"id":${entry.id},${members}${entry.content.slice(1, -1)},"attachments":${jsonArray(parts.attachments)},` +
      `"options":${jsonArray(parts.options)},"reactions":${jsonArray(parts.reactions)}}`,
  );
}

/** What an entry belongs to. */
export function renderParent(entry: Pick<EntryRow, 'parentId' | 'parentType'>): Json {
  return json(`{"id":${entry.parentId},"type":"${entry.parentType}"}`);
}
