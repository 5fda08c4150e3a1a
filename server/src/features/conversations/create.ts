import { type ConversationCreate, conversationOperations } from 'confab-contract/conversations.ts';
import { invalidField, Problem } from 'confab-contract/problem.ts';
import { type Ref, readRef } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type AppView, findApp } from '../../access/access.ts';
import { conversationAccess } from '../../access/conversation-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Tx } from '../../db/db.ts';
import { Faults } from '../../kernel/faults.ts';
import type { Input } from '../../kernel/input.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { makeApp } from '../apps/app-changes.ts';
import { generateUid, readAppType } from '../apps/app-types.ts';
import { joinMembers } from '../members/member-changes.ts';
import { visibilityFor } from '../users/users.sql.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { insertPrivateChat, invitableUsers, privateChatOf } from './conversations.store.ts';

/**
 * A conversation is a chat, chat room or private chat as its members see it. What a member has read follows from the
 * newest message of the app and from marks on the membership, so neither a list nor a badge reads messages.
 */

type ConversationType = 'private_chat' | 'chat_room';

/** The conversation that a body describes. */
export type ConversationDraft = {
  readonly refs: readonly Ref[];
  readonly name: string | undefined;
  readonly type: ConversationType | undefined;
};

type CreateParts = ViewParts & { readonly people: PeopleSetting };

type Creation = {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly at: UnixMs;
  readonly people: PeopleSetting;
};

/** Starts a chat room, or opens the one private chat that the caller has with another user. */
export const createConversation = handler(
  conversationOperations.createConversation,
  prepare,
  async (call, parts: CreateParts) => {
    const { tx, caller, body, at } = call;
    const { id } = await startConversation({ tx, caller, at, ...parts }, body);
    const created = await conversationAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: true });
    return (await readConversation(readerOf(call, parts), created)).render();
  },
);

/** Starts the conversation that a draft describes, or opens the private chat with its other user. */
export async function startConversation(creation: Creation, draft: ConversationDraft): Promise<AppView> {
  const others = await findOthers(creation, draft.refs);
  const type = typeOf(draft, others.length);
  const [other] = others;
  if (type === 'private_chat' && other !== undefined) return await openPrivateChat(creation, other);
  return await start(creation, others, { type: 'chat_room', name: draft.name });
}

function prepare(input: Input<ConversationCreate>): Input<ConversationDraft> {
  return input
    .read({ members: readMembers, type: readConversationType })
    .map(({ members: refs = [], type, name }) => ({ refs, type, name: visibleText(name) ?? undefined }));
}

/** Reads the users of a body, each by id or uid; throws `validation_failed`. */
export function readMembers(input: readonly (string | number)[]): Ref[] {
  const faults = new Faults();
  const refs = input.map(readRef);
  refs.forEach((ref, index) => {
    if (ref === undefined) faults.addAll(unknownUser(index));
  });
  if (faults.count > 0) throw faults.problem('validation_failed');
  return refs.filter((ref) => ref !== undefined);
}

function unknownUser(index: number): Problem {
  return invalidField(`/members/${index}`, 'not_found', 'names no user');
}

function readConversationType(input: string): ConversationType {
  const type = readAppType(input);
  if (type === 'private_chat' || type === 'chat_room') return type;
  throw invalidField('/type', 'unknown', 'must be private_chat or chat_room');
}

/** The type that follows from the members and the name; throws `validation_failed` where they contradict each other. */
function typeOf({ type, name }: ConversationDraft, others: number): ConversationType {
  if (others === 0 && name === undefined)
    throw invalidField('/members', 'required', 'must name somebody besides you');
  if (type !== 'private_chat')
    return type !== undefined || others !== 1 || name !== undefined ? 'chat_room' : 'private_chat';
  if (others !== 1) throw invalidField('/members', 'count', 'must name one other person in a private chat');
  if (name !== undefined)
    throw invalidField('/name', 'immutable', 'is that of the other person in a private chat');
  return type;
}

/** The users that `refs` name, each once and without the caller; throws `validation_failed` for one that is not found. */
export async function findOthers({ tx, caller, people }: Creation, refs: readonly Ref[]): Promise<number[]> {
  const { user } = caller;
  const rows = await tx.all(invitableUsers(visibilityFor(caller, people)), {
    userId: user.id,
    directoryId: user.directoryId ?? 0,
    ids: refs.flatMap((ref) => ('id' in ref ? [ref.id] : [])),
    uids: refs.flatMap((ref) => ('uid' in ref ? [ref.uid] : [])),
  });
  const byUid = new Map(rows.map(({ id, uid }) => [uid, id]));
  const known = new Set(rows.map(({ id }) => id));
  const ids = refs.map((ref, index) => {
    const id = 'id' in ref ? ref.id : byUid.get(ref.uid);
    if (id === undefined || !known.has(id)) throw unknownUser(index);
    return id;
  });
  return [...new Set(ids)].filter((id) => id !== user.id);
}

async function start(
  creation: Creation,
  others: readonly number[],
  { type, name }: { readonly type: ConversationType; readonly name?: string | undefined },
): Promise<AppView> {
  const fields = name === undefined ? {} : { name };
  const app = await makeApp(creation, { uid: generateUid(type), type, fields });
  await joinMembers({ ...creation, on: app }, others);
  return app;
}

/** The private chat of the caller with another user, started unless it exists. A user who left it becomes a member again. */
async function openPrivateChat(creation: Creation, other: number): Promise<AppView> {
  const { tx, caller } = creation;
  const { id: own } = caller.user;
  const pair = { firstId: Math.min(own, other), secondId: Math.max(own, other) };
  const existing = await tx.get(privateChatOf, pair);
  if (existing === undefined) {
    const conversation = await start(creation, [other], { type: 'private_chat' });
    await tx.run(insertPrivateChat, { ...pair, appId: conversation.id });
    return conversation;
  }
  const app = await findApp(tx, caller, { id: existing.appId });
  if (app === undefined) throw new Error('a private chat has outlived its app');
  if (app.memberAccess === 'none')
    throw new Problem('write_forbidden', 'You have no access to this conversation.');
  await joinMembers({ ...creation, on: app }, [own, other]);
  return app;
}
