import type { AppView } from '../../access/access.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import { withTypeGuid } from '../apps/app-json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { listedEntries } from '../entries/list.ts';
import { memberPages } from '../members/member-json.ts';
import { renderedUsers } from '../users/users.ts';
import { type ConversationState, renderConversation } from './conversation-json.ts';
import { statesOf } from './conversations.store.ts';

/** The parts of the server that rendering conversations needs. */
export type ViewParts = { readonly links: BlobLinks };

/** The input for rendering conversations. */
export type ConversationReader = ViewParts & {
  readonly read: Read;
  readonly caller: Principal;
  /** Whether app types are rendered as guids instead of names. */
  readonly hasGuids: boolean;
};

type RequestFacts = {
  readonly caller: Principal;
  readonly raw: { readonly headers: { readonly [name: string]: string | string[] | undefined } };
};

/** The input for rendering the conversations of a request. */
export function readerOf(
  call: RequestFacts & ({ readonly tx: Tx } | { readonly read: Read }),
  { links }: ViewParts,
): ConversationReader {
  return {
    read: 'tx' in call ? call.tx : call.read,
    caller: call.caller,
    links,
    hasGuids: isReferenceClient(call.raw.headers['x-weavy-source']),
  };
}

/** The fields of a conversation that contain other objects; a single conversation expands all of them. */
const detailForm: ReadonlySet<string> = new Set(['created_by', 'modified_by']);
/** The fields that the last message of a conversation expands. */
const lastMessageForm: ReadonlySet<string> = new Set(['parent', 'created_by']);

/** What a change of the caller's own state changes in how a conversation is shown. */
type OwnChange = Partial<Pick<ConversationState, 'markedId' | 'deliveredAt' | 'pinnedAt' | 'wroteId'>> & {
  readonly markedAt?: number | null;
};

/** One of the conversations that were read: `render` shows it as it is after a change of the caller's own state. */
type ConversationView = { readonly state: ConversationState; render(change?: OwnChange): Json };

/**
 * Conversations as the caller sees them, with what `expand` names: as many as fit into a page with their last messages.
 * The number of statements does not depend on the number of conversations.
 */
export async function renderConversations(
  reader: ConversationReader,
  conversations: readonly AppView[],
  expand: ReadonlySet<string>,
): Promise<Json[]> {
  return (await readConversations(reader, conversations, expand)).map((view) => view.render());
}

async function readConversations(
  { read, caller, links, hasGuids }: ConversationReader,
  conversations: readonly AppView[],
  expand: ReadonlySet<string>,
): Promise<ConversationView[]> {
  const ids = conversations.map(({ id }) => id);
  const [rows, pages, users] = await Promise.all([
    read.all(statesOf, { userId: caller.user.id, ids }),
    memberPages(read, ids),
    renderedUsers(read, caller, [
      ...(expand.has('created_by') ? conversations.map((app) => app.createdById) : []),
      ...(expand.has('modified_by') ? conversations.flatMap((app) => app.modifiedById ?? []) : []),
    ]),
  ]);
  const states = new Map<number, ConversationState>(rows.map((row) => [row.id, row]));
  const lastIds = ids.flatMap((id) => states.get(id)?.lastMessageId ?? []);
  const lastMessages = { kind: 'message', ids: lastIds, expand: lastMessageForm } as const;
  const last = await listedEntries({ read, caller, links }, lastMessages);
  // Only the first messages that fit into a page were read: the conversations end where the messages do.
  const end = conversations.findIndex(({ id }, index) => {
    const lastMessageId = states.get(id)?.lastMessageId ?? null;
    return index > 0 && lastMessageId !== null && !last.has(lastMessageId);
  });
  return conversations.slice(0, end === -1 ? conversations.length : end).map((app) => {
    const state = states.get(app.id);
    const page = pages.get(app.id);
    if (state === undefined || page === undefined) throw new Error('a conversation has no state');
    const parts = {
      user: caller.user,
      form: caller.form,
      lastMessage: last.get(state.lastMessageId ?? 0),
      createdBy: expand.has('created_by') ? users.get(app.createdById) : undefined,
      modifiedBy: expand.has('modified_by') ? users.get(app.modifiedById ?? 0) : undefined,
    };
    return {
      state,
      render(change = {}) {
        const members = page.members.map((row) => (row.id === caller.user.id ? { ...row, ...change } : row));
        const own = { state: { ...state, ...change }, page: { ...page, members } };
        const rendered = renderConversation(app, { ...parts, ...own });
        return hasGuids ? withTypeGuid(rendered) : rendered;
      },
    };
  });
}

/** One conversation as the caller sees it, in full: a change reads it first, because then its turn to write is shorter. */
export async function readConversation(reader: ConversationReader, app: AppView): Promise<ConversationView> {
  const [view] = await readConversations(reader, [app], detailForm);
  if (view === undefined) throw new Error('a conversation was not read');
  return view;
}
