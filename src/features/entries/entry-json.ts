import { timestamp } from '../../kernel/clock.ts';
import { type Json, json, jsonArray, jsonString } from '../../kernel/json.ts';
import type { EntryRow } from './entries.store.ts';
import { renderMarkdown } from './markdown.ts';

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
  /** More members of the object, rendered, by name: parent, created_by and the like. */
  readonly members: { readonly [name: string]: Json | undefined };
};

/** A poll option as this caller sees it. Nobody has voted: there is no way to. */
export function renderOption(option: { id: number; text: string }): Json {
  return json(
    `{"id":${option.id},"text":${jsonString(option.text)},"vote_count":0,"has_voted":false,"voters":[]}`,
  );
}

/**
 * An entry in the words of the wire. The content is spliced as it was rendered when it was written, which is what
 * makes a page of comments cheap.
 */
export function renderEntry(entry: EntryRow, parts: EntryParts): Json {
  let members = '';
  for (const name in parts.members)
    if (parts.members[name] !== undefined) members += `"${name}":${parts.members[name]},`;
  const modified =
    entry.modifiedAt === null
      ? ''
      : `"modified_at":"${timestamp(entry.modifiedAt)}","modified_by_id":${entry.modifiedById},`;
  return json(
    `{"id":${entry.id},"app_id":${entry.appId},${members}${entry.content.slice(1, -1)},` +
      `"attachment_count":${entry.attachmentCount},"attachments":${jsonArray(parts.attachments)},` +
      `"option_count":${entry.optionCount},"options":${jsonArray(parts.options)},"reactions":[],` +
      `"created_at":"${timestamp(entry.createdAt)}","created_by_id":${entry.createdById},${modified}` +
      `"is_trashed":${entry.trashedAt !== null}}`,
  );
}

/** What an entry belongs to. */
export function renderParent(entry: Pick<EntryRow, 'parentId' | 'parentType'>): Json {
  return json(`{"id":${entry.parentId},"type":"${entry.parentType}"}`);
}
