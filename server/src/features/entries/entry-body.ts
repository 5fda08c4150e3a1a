import type { CommentCreate, CommentPatch } from 'confab-contract/comments.ts';
import type { EntryCreate } from 'confab-contract/entries.ts';
import type { Clearable } from 'confab-contract/operation.ts';
import type { Input } from '../../kernel/input.ts';
import type { Principal } from '../../kernel/principal.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { type AnchorColumns, assertRoot, noAnchor, readAnchor } from '../anchors/anchor-body.ts';
import type { Verdict } from '../moderation/moderation.ts';
import { type Content, type RenderedFields, renderText } from './entry-json.ts';

/** The bodies of create and update requests, rendered and normalised before the transaction. */

/** The fields of an entry to create. */
export type Draft = {
  readonly content: Content;
  /** The place of the thread that it begins. */
  readonly anchor?: AnchorColumns | undefined;
  readonly blobIds: readonly number[];
  readonly options: readonly string[];
  /** The id of the comment that it answers. */
  readonly replyTo?: number | undefined;
  /** The ids of the blobs whose texts an agent gets with the message. */
  readonly context?: readonly number[] | undefined;
  /** What screening decided; absent where nothing was screened. */
  readonly verdict?: Verdict | undefined;
};

/** The changes of an entry: an absent field stays unchanged, null clears it, and an array replaces the present one. */
export type Edit = {
  readonly change: Partial<Record<keyof Content, Content[keyof Content] | null>>;
  /** The place of its thread, which `noAnchor` clears. */
  readonly anchor?: AnchorColumns;
  readonly attachmentIds?: readonly number[];
  readonly blobIds: readonly number[];
  readonly options?: readonly { id?: number; text: string }[];
  /** What screening decided; absent where nothing was screened. */
  readonly verdict?: Verdict | undefined;
};

const readers = { tags: normaliseTags } as const;

/** The body of a create request; only that of a comment can have `reply_to`. */
export type CreateInput = Input<EntryCreate> | Input<CommentCreate>;

/** Prepares the body of a create request. */
export function prepareDraft(input: CreateInput, caller: Writer): Input<Draft> | Promise<Input<Draft>> {
  return (input as Input<CommentCreate>).read(readers).mapLater((body) => withText(body, caller, draftOf));
}

/** Who writes, by which a text is rendered. */
type Writer = Pick<Principal, 'kind'>;

/** Makes something of a body and its rendered text. */
function withText<B extends { readonly text?: string | null }, T>(
  body: B,
  caller: Writer,
  make: (body: B, text: RenderedFields) => T,
): T | Promise<T> {
  const text = renderText(caller, body.text);
  return text instanceof Promise ? text.then((rendered) => make(body, rendered)) : make(body, text);
}

/** The fields that only messages to agents can have. */
type AgentFields = { readonly context?: readonly number[] };

/** The draft of a valid body. Throws `validation_failed` for an anchor that breaks a rule, or is in a reply. */
export function draftOf(body: CommentCreate & AgentFields, text: RenderedFields): Draft {
  if (body.anchor !== undefined) assertRoot(body.reply_to);
  return {
    ...(body.anchor === undefined ? {} : { anchor: readAnchor(body.anchor) }),
    content: {
      ...text,
      ...(body.embed_id === undefined ? {} : { embed_id: body.embed_id }),
      ...(body.meeting_id === undefined ? {} : { meeting_id: body.meeting_id }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      tags: body.tags ?? [],
    },
    blobIds: body.blobs ?? [],
    options: (body.options ?? []).map((option) => option.text),
    replyTo: body.reply_to,
    context: body.context,
  };
}

/** Prepares the body of an update request. */
export function prepareEdit(
  input: Input<Clearable<CommentPatch>>,
  caller: Writer,
): Input<Edit> | Promise<Input<Edit>> {
  return input.read(readers).mapLater((body) => withText(body, caller, editOf));
}

function editOf(body: Clearable<CommentPatch>, text: RenderedFields): Edit {
  return {
    change: {
      ...(body.text === undefined ? {} : { text: null, html: null, plain: null, ...text }),
      ...(body.embed_id === undefined ? {} : { embed_id: body.embed_id }),
      ...(body.meeting_id === undefined ? {} : { meeting_id: body.meeting_id }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      ...(body.tags === undefined ? {} : { tags: body.tags ?? [] }),
    },
    ...(body.anchor === undefined
      ? {}
      : { anchor: body.anchor === null ? noAnchor : readAnchor(body.anchor) }),
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
