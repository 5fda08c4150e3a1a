import type { CommentPatch } from 'confab-contract/comments.ts';
import type { Clearable } from 'confab-contract/operation.ts';
import type { WritableApp } from '../../access/access.ts';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { Editable } from '../../access/item-rights.ts';
import type { PolicyInput } from '../../access/targets.ts';
import type { Call, Core, DeclaredOperation } from '../../binding/handler.ts';
import type { Input } from '../../kernel/input.ts';
import { noAnchor, quotesOf } from '../anchors/anchor-body.ts';
import type { Moderation, Submission, Verdict } from '../moderation/moderation.ts';
import { isSameText, screenedText } from '../moderation/screened-text.ts';
import type { Links } from './entries.ts';
import {
  type CreateInput,
  type Draft,
  type Edit,
  editedContent,
  prepareDraft,
  prepareEdit,
} from './entry-body.ts';
import { contentOf } from './entry-json.ts';

/**
 * Bodies of create and update requests are screened before the transaction, because a hook may be asked. The caller's
 * rights are checked for that, and again in the transaction; only the second check decides.
 */

/** The parts of the server that writing entries needs: links, and what screens texts. */
export type Screening = Links & { readonly moderation: Moderation };

type Request = Pick<Call<DeclaredOperation>, 'params' | 'query' | 'raw'> & {
  readonly principal: Submission['caller'];
};

/** Finds what a request acts on, with the caller's right to it; see `resolverOf`. */
type Resolve<T> = (request: PolicyInput) => Promise<T>;

/** Creates what prepares the body of a create request and screens it. */
export function screenedDraft(
  kind: EntryKind,
  resolve: Resolve<WritableApp | { readonly app: WritableApp }>,
) {
  return (
    input: CreateInput,
    call: Request,
    parts: Screening & Core,
  ): Input<Draft> | Promise<Input<Draft>> => {
    const prepared = prepareDraft(input, call.principal);
    if (parts.moderation.isIdle(call.principal)) return prepared;
    return screened(prepared, async (draft) => {
      const parent = await resolve(lookupOf(call, parts));
      const { content, options, anchor = noAnchor } = draft;
      const text = screenedText(content, [...options, ...quotesOf(anchor)]);
      const question = { operation: 'create', kind, ...partsShown(content, options) } as const;
      const app = 'app' in parent ? parent.app : parent;
      return { ...draft, verdict: await screen(call, parts, { app, text, question }) };
    });
  };
}

/** Creates what prepares the body of an update request and screens what the entry would become. */
export function screenedEdit(kind: EntryKind, resolve: Resolve<Editable<ReadableEntry>>) {
  return (
    input: Input<Clearable<CommentPatch>>,
    call: Request,
    parts: Screening & Core,
  ): Input<Edit> | Promise<Input<Edit>> => {
    const prepared = prepareEdit(input, call.principal);
    if (parts.moderation.isIdle(call.principal)) return prepared;
    return screened(prepared, async (edit) => {
      const { entry, app } = await resolve(lookupOf(call, parts));
      const before = contentOf(entry.content);
      const content = editedContent(before, edit);
      const options = edit.options?.map((option) => option.text) ?? [];
      const text = screenedText(content, [...options, ...quotesOf(edit.anchor ?? entry)]);
      if (isSameText(text, screenedText(before, quotesOf(entry)))) return edit;
      const question = { operation: 'update', kind, id: entry.id, ...partsShown(content, options) } as const;
      return { ...edit, verdict: await screen(call, parts, { app, text, question }) };
    });
  };
}

/** Screens what is prepared, which may take a moment. */
async function screened<T>(
  prepared: Input<T> | Promise<Input<T>>,
  judge: (value: T) => Promise<T>,
): Promise<Input<T>> {
  return await (await prepared).mapLater(judge);
}

function lookupOf({ principal: caller, params, query }: Request, { db, clock }: Core) {
  return { read: db.read, caller, params, query, at: clock.now() };
}

function partsShown(
  { text = '', plain = '', tags }: { text?: string; plain?: string; tags: readonly string[] },
  options: readonly string[],
) {
  return { text, plain, options, tags };
}

async function screen(
  { principal: caller, raw }: Request,
  { moderation }: Pick<Screening, 'moderation'>,
  { question, ...submission }: Pick<Submission, 'app' | 'text' | 'question'>,
): Promise<Verdict | undefined> {
  const { 'user-agent': agent } = raw.headers;
  return await moderation.screen({
    ...submission,
    caller,
    question: { ...question, ...(agent === undefined ? {} : { user_agent: agent }) },
    requestId: raw.id,
  });
}
