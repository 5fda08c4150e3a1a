import { poll } from 'confab-testing/poll.ts';
import { list } from './wrong-lists.ts';
import {
  accessOf,
  appOf,
  areTags,
  authorOf,
  type Call,
  type Caller,
  type Fields,
  fieldsOf,
  findUser,
  foldedTags,
  needAccess,
  needRules,
  Refusal,
  type Reply,
  type State,
  shownUser,
  timestamp,
} from './wrong-state.ts';

type Json = any;
type Handler = (state: State, call: Call) => Reply | Promise<Reply>;

const accesses = ['none', 'read', 'write'];
const contextualTypes = ['chat', 'comments', 'files', 'posts'];
const types = [...contextualTypes, 'chat_room', 'private_chat'];

const appFields: Fields = {
  uid: 'string',
  type: 'string',
  access: 'string',
  name: 'string',
  description: 'string',
  metadata: 'object',
  tags: 'strings',
};

function isUid(state: State, uid: string): boolean {
  if (/\s/.test(uid) && !state.has('spacesInUid')) return false;
  if (/^\d+$/.test(uid) && !state.has('digitsAsUid')) return false;
  return uid.length >= 1 && uid.length <= 256;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Fails unless the fields of an app keep the rules; those that are not there keep them. */
function needAppRules(state: State, body: Json, isNew: boolean, uid = body.uid): void {
  const isAbsent = (value: unknown) => value === undefined || value === null;
  needRules(state, [
    ['/uid', isAbsent(uid) ? !isNew : isUid(state, uid)],
    ['/uid', isAbsent(body.uid) || isUid(state, body.uid)],
    ['/type', isAbsent(body.type) ? !isNew : types.includes(body.type.toLowerCase())],
    ['/access', isAbsent(body.access) || accesses.includes(body.access) || state.has('anyAccess')],
    ['/name', isAbsent(body.name) || body.name.length <= 256 || state.has('nameUnbounded')],
    [
      '/description',
      isAbsent(body.description) || body.description.length <= (state.has('descriptionShort') ? 4000 : 4096),
    ],
    ['/metadata', depthOf(body.metadata) <= 32],
    ['/tags', areTags(body.tags)],
  ]);
}

function change(state: State, app: Json, body: Json): void {
  for (const field of ['uid', 'access', 'name', 'description', 'metadata'] as const)
    if (body[field] !== undefined && !(body[field] === null && state.has('nullIsAbsent')))
      app[field] = body[field];
  if (body.tags !== undefined) app.tags = foldedTags(state, body.tags ?? []);
  app.access ??= 'none';
}

function makeApp(state: State, body: Json, caller: Caller): Json {
  const author = authorOf(state, caller);
  const app: Json = {
    id: state.nextId(),
    uid: body.uid,
    type: state.has('typeAsSent') ? body.type : body.type.toLowerCase(),
    access: state.has('accessByDefaultRead') ? 'read' : 'none',
    tags: [],
    members: new Map(),
    subscribers: new Set(),
    author,
    createdAt: Date.now(),
    isTrashed: false,
  };
  change(state, app, body);
  if (state.has('uidInCapitals')) app.uid = app.uid.toUpperCase();
  if (state.has('nameLost')) delete app.name;
  if (state.has('modifiedFromTheStart')) app.modifiedAt = app.createdAt;
  if (caller.kind === 'user')
    app.members.set(caller.user.id, { user: author, access: 'write', isManager: true });
  state.apps.push(app);
  return app;
}

function memberItems(state: State, app: Json): Json[] {
  return [...app.members.values()]
    .map((member) => ({ ...member, id: member.user.id }))
    .sort((a, b) => a.id - b.id)
    .map((member) => ({ ...member, isTrashed: false, text: member.user.uid, state }));
}

function shownMember(state: State, { user, access }: Json): Json {
  return {
    id: user.id,
    uid: user.uid,
    ...(state.has('memberWithoutAccess') ? {} : { access }),
    display_name: user.uid,
    is_bot: user.isBot,
  };
}

/** An app in the flat form of a list. */
function flatApp(state: State, app: Json, caller: Caller): Json {
  const isSubscribed = state.has('subscribesEverybody')
    ? app.subscribers.size > 0
    : caller.kind === 'user' && app.subscribers.has(caller.user.id);
  const isManager = accessOf(state, app, caller) === 'manage';
  const { metadata } = app;
  return {
    id: state.has('idIsText') ? String(app.id) : app.id,
    type: app.type,
    uid: app.uid,
    access: app.access,
    ...(state.has('displayNameMissing') ? {} : { display_name: app.name ?? app.uid }),
    ...(app.name == null ? {} : { name: app.name }),
    ...(app.description == null ? {} : { description: app.description }),
    ...(metadata == null
      ? {}
      : { metadata: state.has('metadataAsText') ? { ...metadata, deep: String(metadata.deep) } : metadata }),
    tags: app.tags,
    created_at: timestamp(state, app.createdAt),
    created_by_id: app.author.id,
    ...(app.modifiedAt === undefined || state.has('modifiedNever')
      ? {}
      : { modified_at: timestamp(state, app.modifiedAt), modified_by_id: app.author.id }),
    ...(state.has('permissionsMissing')
      ? {}
      : {
          permissions: isManager ? ['list', 'read', 'create', 'update', 'delete', 'admin'] : ['list', 'read'],
        }),
    ...(state.has('flagsOmitted') ? {} : { is_starred: false }),
    is_subscribed: isSubscribed,
    is_trashed: app.isTrashed,
  };
}

/** An app by itself. */
function shownApp(state: State, app: Json, caller: Caller): Json {
  const members = memberItems(state, app).map((member) => shownMember(state, member));
  const count = members.length + (state.has('membersCountedWrong') ? 1 : 0);
  return {
    ...flatApp(state, app, caller),
    created_by: shownUser(state, app.author),
    ...(state.has('membersMissing')
      ? {}
      : { members: { data: members, start: Math.min(1, members.length), end: members.length, count } }),
    ...(state.has('fieldAdded') ? { color: 'red' } : {}),
  };
}

function modify(state: State, app: Json, call: Call, body: Json): Reply {
  if (state.has('patchResets'))
    for (const field of ['access', 'name', 'description', 'metadata', 'tags'] as const)
      if (body[field] === undefined) change(state, app, { [field]: null });
  if (state.has('patchNotKept'))
    return { status: 200, body: { ...shownApp(state, app, call.caller), ...body } };
  change(state, app, state.has('uidNotChanged') ? { ...body, uid: undefined } : body);
  app.modifiedAt = Date.now();
  return { status: 200, body: shownApp(state, app, call.caller) };
}

function isTaken(state: State, uid: string | undefined, but?: Json): boolean {
  return !state.has('uidTakenTwice') && state.apps.some((one) => one !== but && one.uid === uid);
}

/** The operations of apps and members. */
export const appHandlers: Readonly<Record<string, Handler>> = {
  createApp(state, call) {
    if (call.caller.kind === 'weakKey' && !state.has('weakKeyCreates')) throw new Refusal(403);
    const body = fieldsOf(state, call, appFields);
    try {
      needAppRules(state, body, true);
    } catch (refusal) {
      if (state.has('refusedIsMade') && typeof body.uid === 'string' && typeof body.type === 'string')
        makeApp(state, body, call.caller);
      throw refusal;
    }
    if (isTaken(state, body.uid)) throw new Refusal(state.has('uidTakenIs409') ? 409 : 422, ['/uid']);
    const app = makeApp(state, body, call.caller);
    return { status: state.has('createdIs200') ? 200 : 201, body: shownApp(state, app, call.caller) };
  },

  getApp(state, call) {
    const asked = call.query.get('trashed');
    const isTrashedShown = asked === 'true' || (asked === 'null' && state.has('trashedNullIsTrue'));
    const app = appOf(state, call, { isTrashedShown: isTrashedShown || state.has('trashedIsGot') });
    if (app.isTrashed && state.has('trashedIsGone')) throw new Refusal(404);
    return { status: 200, body: shownApp(state, app, call.caller) };
  },

  updateApp(state, call) {
    const body = fieldsOf(state, call, appFields);
    const app = appOf(state, call);
    if (!state.has('readerChangesApp')) needAccess(state, app, call, 'manage');
    needAppRules(state, body, false);
    if (isTaken(state, body.uid, app)) throw new Refusal(422, ['/uid']);
    return modify(state, app, call, body);
  },

  async upsertApp(state, call) {
    const uid = call.params.uid ?? '';
    const body = fieldsOf(state, call, appFields);
    const app = state.apps.find((one) => one.uid === uid);
    const askedAt = performance.now();
    if (state.has('upsertRaces'))
      await poll('the requests beside it', () => performance.now() - askedAt > 30 || undefined);
    if (app === undefined || state.has('upsertIsAlways201')) {
      needAppRules(state, body, true, uid);
      const made = makeApp(state, { ...body, uid }, call.caller);
      return { status: state.has('upsertIsAlways200') ? 200 : 201, body: shownApp(state, made, call.caller) };
    }
    const access = accessOf(state, app, call.caller);
    const isSame = Object.entries(body).every(([field, value]) => app[field] === value);
    if (access === 'none' || (access !== 'manage' && (!isSame || state.has('upsertOfReaderIs403'))))
      throw new Refusal(403);
    if (isSame && access !== 'manage') return { status: 200, body: shownApp(state, app, call.caller) };
    needAppRules(state, { ...body, type: body.type ?? '' }, false);
    if (body.type.toLowerCase() !== app.type && !state.has('upsertChangesType'))
      throw new Refusal(422, ['/type']);
    const reset = { access: 'none', description: null, metadata: null, tags: [] };
    return modify(state, app, call, state.has('upsertResets') ? { ...reset, ...body } : body);
  },

  listApps(state, call) {
    const asked = call.query.get('type')?.toLowerCase();
    const contextual = call.query.get('contextual');
    const seen = state.apps.filter((app) => {
      if (accessOf(state, app, call.caller) === 'none' && !state.has('noneIsListed')) return false;
      if (asked !== undefined && app.type !== asked && !state.has('typeFilterIgnored')) return false;
      if (contextual !== 'true' && contextual !== 'false') return true;
      return contextualTypes.includes(app.type) === (contextual === 'true') || state.has('contextualIgnored');
    });
    return list(state, seen, call, {
      text: (app) => `${app.uid} ${app.name ?? ''} ${app.description ?? ''}`,
      show: (app) => ({
        ...flatApp(state, app, call.caller),
        ...(state.has('listHasCreator') ? { created_by: shownUser(state, app.author) } : {}),
        ...(state.has('listHasMore') ? { color: 'red' } : {}),
      }),
    });
  },

  trashApp(state, call) {
    if (state.has('appsCannotBeRemoved')) throw new Refusal(403);
    const app = appOf(state, call, { isTrashedShown: true });
    if (!state.has('readerTrashesApp')) needAccess(state, app, call, 'manage');
    if (app.isTrashed && state.has('trashTwiceIs400')) throw new Refusal(400);
    app.isTrashed = true;
    if (state.has('trashIs204')) return { status: 204 };
    const shown = shownApp(state, app, call.caller);
    return { status: 200, body: state.has('trashSaysNo') ? { ...shown, is_trashed: false } : shown };
  },

  restoreApp(state, call) {
    const app = appOf(state, call, { isTrashedShown: true });
    needAccess(state, app, call, 'manage');
    if (!state.has('restoreDoesNothing')) app.isTrashed = false;
    return { status: 200, body: shownApp(state, app, call.caller) };
  },

  subscribeApp: (state, call) => subscribe(state, call, true),
  unsubscribeApp: (state, call) => subscribe(state, call, false),

  addMember(state, call) {
    const { access } = fieldsOf(state, call, { access: 'string' });
    addMembers(state, call, [{ ref: call.params.user ?? '', access }], 'again');
    return { status: state.has('addMemberIs200') ? 200 : 204 };
  },

  addMembers(state, call) {
    if (!Array.isArray(call.body) || call.body.some((item) => typeof item !== 'object' || item === null))
      throw new Refusal(400);
    const items = call.body.map(({ uid, access }) => ({ ref: String(uid), access }));
    addMembers(state, call, state.has('firstOfManyAdded') ? items.slice(0, 1) : items, 'many');
    return { status: 204 };
  },

  listMembers(state, call) {
    const app = appOf(state, call, { isTrashedShown: state.has('contentOfTrashedIsShown') });
    const isSuspended = call.query.get('suspended') === 'true' && !state.has('suspendedIgnored');
    return list(state, isSuspended ? [] : memberItems(state, app), call, {
      text: ({ user }) => user.uid,
      show: (member) => shownMember(state, member),
    });
  },

  removeMember: (state, call) => removeMembers(state, call, [call.params.user ?? '']),

  removeMembers(state, call) {
    if (!Array.isArray(call.body) || call.body.some((item) => typeof item !== 'string'))
      throw new Refusal(400);
    const app = appOf(state, call);
    if (!state.has('allAreRemoved')) return removeMembers(state, call, call.body);
    app.members.clear();
    return { status: 204 };
  },
};

function subscribe(state: State, call: Call, isOn: boolean): Reply {
  if (call.caller.kind !== 'user' && !state.has('keySubscribes')) throw new Refusal(401);
  const app = appOf(state, call);
  const { id } = authorOf(state, call.caller);
  if (isOn) app.subscribers.add(id);
  else if (!state.has('unsubscribeDoesNothing')) app.subscribers.delete(id);
  if (state.has('subscribeIs204')) return { status: 204 };
  return { status: 200, body: shownApp(state, app, call.caller) };
}

function addMembers(
  state: State,
  call: Call,
  items: readonly { ref: string; access?: string }[],
  door: 'again' | 'many',
): void {
  const app = appOf(state, call);
  needAccess(state, app, call, 'manage');
  const isKnown = (access: string | undefined) => access === undefined || accesses.includes(access);
  if (!items.every(({ access }) => isKnown(access)) && !state.has('memberAccessUnchecked'))
    throw new Refusal(400);
  for (const { ref, access } of items) {
    const user = findUser(state, ref);
    if (user === undefined && state.has('unknownUserIsAdded')) continue;
    if (user === undefined) throw new Refusal(404);
    const isKept = door === 'again' ? state.has('memberAddedOnce') : state.has('manyNeverChange');
    if (app.members.has(user.id) && isKept) continue;
    app.members.set(user.id, {
      user,
      access: access ?? (state.has('memberByDefaultReads') ? 'read' : 'write'),
    });
  }
}

function removeMembers(state: State, call: Call, refs: readonly string[]): Reply {
  const app = appOf(state, call);
  if (!state.has('readerRemovesMember')) needAccess(state, app, call, 'manage');
  const users = refs.map((ref) => findUser(state, ref));
  if (users.includes(undefined)) throw new Refusal(404);
  if (!state.has('memberStays')) for (const user of users) app.members.delete(user.id);
  return { status: 204 };
}
