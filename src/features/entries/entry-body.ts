import type { EntryCreate, EntryPatch } from '../../contract/entries.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Input } from '../../kernel/input.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { type Content, renderText } from './entry-json.ts';

/** The bodies of create and update requests, rendered and normalised before the transaction. */

/** The fields of an entry to create. */
export type Draft = {
  readonly content: Content;
  readonly blobIds: readonly number[];
  readonly options: readonly string[];
};

/** The changes of an entry: an absent field stays unchanged, null clears it, and an array replaces the present one. */
export type Edit = {
  readonly change: Partial<Record<keyof Content, Content[keyof Content] | null>>;
  readonly attachmentIds?: readonly number[];
  readonly blobIds: readonly number[];
  readonly options?: readonly { id?: number; text: string }[];
};

const readers = { tags: normaliseTags } as const;

/** Prepares the body of a create request. */
export function prepareDraft(input: Input<EntryCreate>): Input<Draft> {
  return input.read(readers).map(draftOf);
}

/** The draft of a valid body. */
export function draftOf(body: EntryCreate): Draft {
  return {
    content: {
      ...renderText(body.text),
      ...(body.embed_id === undefined ? {} : { embed_id: body.embed_id }),
      ...(body.meeting_id === undefined ? {} : { meeting_id: body.meeting_id }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      tags: body.tags ?? [],
    },
    blobIds: body.blobs ?? [],
    options: (body.options ?? []).map((option) => option.text),
  };
}

/** Prepares the body of an update request. */
export function prepareEdit(input: Input<Clearable<EntryPatch>>): Input<Edit> {
  return input.read(readers).map(editOf);
}

function editOf(body: Clearable<EntryPatch>): Edit {
  const text =
    body.text === undefined ? {} : { text: null, html: null, plain: null, ...renderText(body.text) };
  return {
    change: {
      ...text,
      ...(body.embed_id === undefined ? {} : { embed_id: body.embed_id }),
      ...(body.meeting_id === undefined ? {} : { meeting_id: body.meeting_id }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      ...(body.tags === undefined ? {} : { tags: body.tags ?? [] }),
    },
    ...(body.attachments === undefined ? {} : { attachmentIds: body.attachments ?? [] }),
    blobIds: body.blobs ?? [],
    ...(body.options === undefined ? {} : { options: body.options ?? [] }),
  };
}

/** The content of an entry after an edit. */
export function editedContent(before: Content, { change }: Edit): Content {
  const merged: Record<string, unknown> = { ...before, ...change };
  for (const name of Object.keys(merged)) if (merged[name] === null) delete merged[name];
  return merged as Content;
}
