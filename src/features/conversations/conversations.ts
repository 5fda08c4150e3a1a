import type { AppType } from '../../contract/apps.ts';
import type { ConversationCreate } from '../../contract/conversations.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { searchExpression } from '../../db/dialect.ts';
import { type Action, append } from '../../events/events.ts';
import { visibleText } from '../../kernel/blank.ts';
import { type Clock, timestamp, type UnixMs } from '../../kernel/clock.ts';
import { Faults } from '../../kernel/faults.ts';
import { parseRef, type Ref, readRef } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';
import { invalidField, notFound, Problem } from '../../kernel/problem.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { type AppView, findApp, levelOf, type ReadableApp } from '../access/access.ts';
import { renderApp, withTypeGuid } from '../apps/app-json.ts';
import { chatTypes, findAppType, makeUid, readAppType, typesByContext } from '../apps/app-types.ts';
import type { Apps } from '../apps/apps.ts';
import { joinMembers } from '../members/member-changes.ts';
import { memberPages } from '../members/member-json.ts';
import type { Messages } from '../messages/messages.ts';
import { actorOf } from '../users/user-json.ts';
import { sightOf } from '../users/users.sql.ts';
import { renderedUsers } from '../users/users.ts';
import { type ConversationState, renderConversation } from './conversation-json.ts';
import {
  type ConversationListParameters,
  type ConversationListShape,
  clearMark,
  countConversations,
  countUnread,
  insertPrivateChat,
  listConversations,
  messageInApp,
  moveMark,
  peopleToInvite,
  pin,
  privateChatOf,
  setDelivered,
  statesOf,
  unpin,
} from './conversations.store.ts';

/**
 * The conversations feature. A conversation is a chat, chat room or private chat as its members see it. What a member
 * has read follows from the newest message of the app and from marks on the membership, so neither a list nor a badge
 * looks at messages.
 */

/** Who asks, and whether for guids in the place of the names of types. */
export type Reader = { readonly principal: Principal; readonly hasGuids: boolean };

/** What the conversations feature does; see the operations of the same names. */
export type Conversations = ReturnType<typeof createConversations>;

/** What a conversation is to be, prepared. */
type Wanted = {
  readonly refs: readonly Ref[];
  readonly name: string | undefined;
  readonly type: ConversationType | undefined;
};

type ConversationType = 'private_chat' | 'chat_room';

const everything: ReadonlySet<string> = new Set(['created_by', 'modified_by']);

function noUser(index: number): Problem {
  return invalidField(`/members/${index}`, 'not_found', 'names no user');
}

function readMembers(sent: readonly (string | number)[]): Ref[] {
  const faults = new Faults();
  const refs = sent.map(readRef);
  refs.forEach((ref, index) => {
    if (ref === undefined) faults.addAll(noUser(index));
  });
  if (faults.count > 0) throw faults.problem('validation_failed');
  return refs.filter((ref) => ref !== undefined);
}

function readConversationType(sent: string): ConversationType {
  const type = readAppType(sent);
  if (type === 'private_chat' || type === 'chat_room') return type;
  throw invalidField('/type', 'unknown', 'must be private_chat or chat_room');
}

/** The type that follows from who takes part and from the name; throws `validation_failed` where they contradict. */
function typeOf({ type, name }: Wanted, others: number): ConversationType {
  if (others === 0 && name === undefined)
    throw invalidField('/members', 'required', 'must name somebody besides you');
  if (type !== 'private_chat')
    return type !== undefined || others !== 1 || name !== undefined ? 'chat_room' : 'private_chat';
  if (others !== 1) throw invalidField('/members', 'count', 'must name one other person in a private chat');
  if (name !== undefined)
    throw invalidField('/name', 'immutable', 'is that of the other person in a private chat');
  return type;
}

/** The feature itself. Apps and their members are made by the features they belong to. */
export function createConversations({
  db,
  clock,
  apps,
  messages,
  people,
}: {
  db: Db;
  clock: Clock;
  apps: Pick<Apps, 'makeApp'>;
  messages: Pick<Messages, 'lastMessages'>;
  people: PeopleSetting;
}) {
  /** Renders conversations; the number of statements does not depend on how many there are. */
  async function render(
    read: Read,
    { principal, hasGuids }: Reader,
    found: readonly AppView[],
    expand: ReadonlySet<string>,
  ): Promise<Json[]> {
    const ids = found.map(({ id }) => id);
    const rows = await read.all(statesOf, { userId: principal.user.id, ids });
    const states = new Map<number, ConversationState>(rows.map((row) => [row.id, row]));
    const pages = await memberPages(read, ids);
    const lastIds = ids.flatMap((id) => states.get(id)?.lastMessageId ?? []);
    const last = await messages.lastMessages(read, principal, lastIds);
    const users = await renderedUsers(read, principal, [
      ...(expand.has('created_by') ? found.map((app) => app.createdById) : []),
      ...(expand.has('modified_by') ? found.flatMap((app) => app.modifiedById ?? []) : []),
    ]);
    // The first messages that fit into a page came back, and the conversations end with them.
    const end = found.findIndex(({ id }, index) => {
      const lastMessageId = states.get(id)?.lastMessageId ?? null;
      return index > 0 && lastMessageId !== null && !last.has(lastMessageId);
    });
    return found.slice(0, end === -1 ? found.length : end).map((app) => {
      const state = states.get(app.id);
      const page = pages.get(app.id);
      if (state === undefined || page === undefined) throw new Error('a conversation has no state');
      const rendered = renderConversation(app, {
        state,
        page,
        user: principal.user,
        lastMessage: last.get(state.lastMessageId ?? 0),
        createdBy: expand.has('created_by') ? users.get(app.createdById) : undefined,
        modifiedBy: expand.has('modified_by') ? users.get(app.modifiedById ?? 0) : undefined,
      });
      return hasGuids ? withTypeGuid(rendered) : rendered;
    });
  }

  async function detail(read: Read, reader: Reader, app: AppView): Promise<Json> {
    const [rendered] = await render(read, reader, [app], everything);
    if (rendered === undefined) throw new Error('a conversation was not rendered');
    return rendered;
  }

  /** The conversation, if the caller is a member or an API key; throws `not_found`. */
  async function readable(
    read: Read,
    principal: Principal,
    id: number,
    trash: 'live' | 'any' = 'live',
  ): Promise<ReadableApp> {
    const app = await findApp(read, principal, { id });
    if (app === undefined || app.level === 'none' || !chatTypes.includes(app.type))
      throw notFound('conversation');
    if (app.memberAccess === null && principal.kind === 'token') throw notFound('conversation');
    if (app.trashedAt !== null && trash === 'live') throw notFound('conversation');
    return app as ReadableApp;
  }

  /**
   * Lets the caller change what a conversation is to them. `change` answers what the event says besides, or undefined
   * when nothing was to be changed.
   */
  async function changeOwn(
    reader: Reader,
    id: number,
    action: Action,
    change: (
      tx: Tx,
      own: { appId: number; userId: number; state: ConversationState; at: UnixMs },
    ) => Promise<{ readonly [name: string]: Json } | undefined>,
  ): Promise<Json> {
    const { principal } = reader;
    return await db.write(async (tx) => {
      const app = await readable(tx, principal, id);
      const [state] = await tx.all(statesOf, { userId: principal.user.id, ids: [id] });
      if (state === undefined) throw new Error('a conversation has no state');
      const at = clock.now();
      const extra = await change(tx, { appId: id, userId: principal.user.id, state, at });
      if (extra !== undefined)
        await append(tx, {
          action,
          actor: actorOf(principal.user),
          appId: id,
          // Nobody else learns what a person has pinned.
          ...(action.endsWith('pinned') ? { userId: principal.user.id } : {}),
          entity: { id, json: renderApp(app) },
          extra,
          at,
        });
      return await detail(tx, reader, app);
    });
  }

  /** Those to be invited, each once and without the caller; throws `validation_failed` for one who cannot be found. */
  async function findOthers(tx: Tx, principal: Principal, refs: readonly Ref[]): Promise<number[]> {
    const { user } = principal;
    const rows = await tx.all(peopleToInvite(sightOf(principal, people)), {
      userId: user.id,
      directoryId: user.directoryId ?? 0,
      ids: refs.flatMap((ref) => ('id' in ref ? [ref.id] : [])),
      uids: refs.flatMap((ref) => ('uid' in ref ? [ref.uid] : [])),
    });
    const byUid = new Map(rows.map(({ id, uid }) => [uid, id]));
    const known = new Set(rows.map(({ id }) => id));
    const ids = refs.map((ref, index) => {
      const id = 'id' in ref ? ref.id : byUid.get(ref.uid);
      if (id === undefined || !known.has(id)) throw noUser(index);
      return id;
    });
    return [...new Set(ids)].filter((id) => id !== user.id);
  }

  async function start(
    tx: Tx,
    principal: Principal,
    others: readonly number[],
    app: { uid: string; type: 'private_chat' | 'chat_room'; name: string | undefined },
  ): Promise<AppView> {
    const made = await apps.makeApp(tx, principal, app);
    await joinMembers({ tx, caller: principal, on: made, at: clock.now(), people }, others);
    return made;
  }

  /** The private chat of the caller with one other; who left it is a member again. */
  async function openPrivateChat(tx: Tx, principal: Principal, other: number, uid: string): Promise<AppView> {
    const pair = {
      firstId: Math.min(principal.user.id, other),
      secondId: Math.max(principal.user.id, other),
    };
    const known = await tx.get(privateChatOf, pair);
    if (known !== undefined) {
      const app = await findApp(tx, principal, { id: known.appId });
      if (app === undefined) throw new Error('a private chat has outlived its app');
      if (app.memberAccess === 'none')
        throw new Problem('write_forbidden', 'You have no access to this conversation.');
      await joinMembers({ tx, caller: principal, on: app, at: clock.now(), people }, [
        principal.user.id,
        other,
      ]);
      return app;
    }
    const made = await start(tx, principal, [other], { uid, type: 'private_chat', name: undefined });
    await tx.run(insertPrivateChat, { ...pair, appId: made.id });
    return made;
  }

  return {
    async createConversation(reader: Reader, input: Input<ConversationCreate>): Promise<Json> {
      const { principal } = reader;
      const prepared = input
        .read({ members: readMembers, type: readConversationType })
        .map(({ members: refs = [], type, name }) => ({
          refs,
          type,
          name: visibleText(name) ?? undefined,
        }));
      const uids = { private_chat: makeUid('private_chat'), chat_room: makeUid('chat_room') };
      return await db.write(async (tx) => {
        const wanted = prepared.valid();
        const others = await findOthers(tx, principal, wanted.refs);
        const type = typeOf(wanted, others.length);
        const [other] = others;
        const { id } =
          type === 'private_chat' && other !== undefined
            ? await openPrivateChat(tx, principal, other, uids.private_chat)
            : await start(tx, principal, others, {
                uid: uids.chat_room,
                type: 'chat_room',
                name: wanted.name,
              });
        return await detail(tx, reader, await readable(tx, principal, id, 'any'));
      });
    },

    async getConversation(reader: Reader, id: number, query: { trashed?: boolean }): Promise<Json> {
      const app = await readable(db.read, reader.principal, id, query.trashed === true ? 'any' : 'live');
      return await detail(db.read, reader, app);
    },

    async listConversations(
      reader: Reader,
      list: ListQuery,
      query: { unread?: boolean | null; type?: string[]; member?: string; contextual?: boolean | null },
    ): Promise<Json> {
      const { principal } = reader;
      const questions = questionsOf(list.q);
      const member = query.member === undefined ? undefined : parseRef(query.member);
      const shape: ConversationListShape = {
        order: list.order.field as ConversationListShape['order'],
        descending: list.order.descending,
        trashed: list.trashed,
        unread: query.unread ?? null,
        hasTag: list.tag !== undefined,
        hasMember: query.member !== undefined,
        terms: questions.length,
      };
      const key = JSON.stringify(shape);
      const parameters: ConversationListParameters = {
        userId: principal.user.id,
        types: typesAsked(query),
        tag: list.tag ?? '',
        memberId: member !== undefined && 'id' in member ? member.id : 0,
        memberUid: member !== undefined && 'uid' in member ? member.uid : '',
        top: list.top,
        skip: list.skip,
        ...Object.fromEntries(questions.map((question, index) => [`question${index}`, question])),
      };
      const count = list.count
        ? ((await db.read.get(countConversations(key), parameters))?.count ?? 0)
        : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const rows = await db.read.all(listConversations(key), parameters);
      const found = rows.map((row) => ({ ...row, level: levelOf(principal, row) }));
      return envelope(list, { items: await render(db.read, reader, found, list.expand), count });
    },

    async getBadge({ principal }: Reader): Promise<Json> {
      const rows = await db.read.all(countUnread, { userId: principal.user.id, types: chatTypes });
      const unread = new Map(rows.map(({ type, count }) => [type, count]));
      const of = (type: AppType) => unread.get(type) ?? 0;
      return json(
        `{"private":${of('private_chat')},"rooms":${of('chat_room')},"chat":${of('chat')},"bots":0}`,
      );
    },

    /** Existing clients compare the time with that of a message and take an equal one for not delivered. */
    setDelivered: async (reader: Reader, id: number) =>
      await changeOwn(reader, id, 'conversation_delivered', async (tx, { state, ...own }) => {
        const { lastMessageAt, deliveredAt } = state;
        if (lastMessageAt === null || (deliveredAt !== null && deliveredAt > lastMessageAt)) return undefined;
        const at = Math.max(own.at, lastMessageAt + 1);
        await tx.run(setDelivered, { ...own, at });
        return { delivered_at: json(`"${timestamp(at)}"`) };
      }),

    markConversation: async (reader: Reader, id: number, query: { message_id?: number }) =>
      await changeOwn(reader, id, 'conversation_marked', async (tx, { state, ...own }) => {
        const marked = query.message_id ?? state.lastMessageId;
        if (marked === null) return undefined;
        if (
          query.message_id !== undefined &&
          (await tx.get(messageInApp, { appId: id, id: marked })) === undefined
        )
          throw new Problem('validation_failed', 'message_id names no message of this conversation.', {
            errors: [
              {
                parameter: 'message_id',
                code: 'not_found',
                message: 'names no message of this conversation',
              },
            ],
          });
        if ((await tx.run(moveMark, { ...own, id: marked })) === 0) return undefined;
        return { marked_at: json(`"${timestamp(own.at)}"`), marked_id: json(String(marked)) };
      }),

    unmarkConversation: async (reader: Reader, id: number) =>
      await changeOwn(reader, id, 'conversation_marked', async (tx, { appId, userId }) =>
        (await tx.run(clearMark, { appId, userId })) === 0 ? undefined : {},
      ),

    pinConversation: async (reader: Reader, id: number) =>
      await changeOwn(reader, id, 'conversation_pinned', async (tx, { appId, userId, at }) =>
        (await tx.run(pin, { appId, userId, at })) === 0 ? undefined : {},
      ),

    unpinConversation: async (reader: Reader, id: number) =>
      await changeOwn(reader, id, 'conversation_unpinned', async (tx, { appId, userId }) =>
        (await tx.run(unpin, { appId, userId })) === 0 ? undefined : {},
      ),
  };
}

/** What each term asks for, because the terms may be found in different names; one that finds nothing for no term. */
function questionsOf(q: string | undefined): string[] {
  const terms = parseQuestion(q);
  if (terms === undefined) return [];
  return terms.length === 0 ? [searchExpression([])] : terms.map((term) => searchExpression([term]));
}

/** The types a list is limited to; one that is unknown or no conversation matches nothing. */
function typesAsked(query: { type?: string[]; contextual?: boolean | null }): string[] {
  const { contextual } = query;
  const byContext: readonly string[] =
    contextual === undefined || contextual === null ? chatTypes : typesByContext(contextual);
  const asked = query.type?.map((text) => findAppType(text) ?? 'unknown');
  return chatTypes.filter((type) => byContext.includes(type) && (asked?.includes(type as AppType) ?? true));
}
