import { randomUUID } from 'node:crypto';
import type { Plant } from './plants.ts';

// The things of the wrong server are JSON that it changes as it likes, so they have no types of their own.
type Json = any;

/** Who calls: an API key, one that may only read, or a user. */
export type Caller = { readonly kind: 'key' | 'weakKey' } | { readonly kind: 'user'; readonly user: Json };

/** A request after its credential and body were read. */
export type Call = {
  readonly params: Readonly<Record<string, string>>;
  /** By their names in small letters without underscores. */
  readonly query: ReadonlyMap<string, string>;
  readonly body: Json;
  readonly caller: Caller;
  /** Whether the client says that it is a version of the reference client from 23 on. */
  readonly isSecondForm: boolean;
};

/** An answer before it is written. */
export type Reply = { readonly status: number; readonly body?: Json };

/** Ends a request with an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly pointers: readonly string[];
  constructor(status: number, pointers: readonly string[] = []) {
    super(`refused with ${status}`);
    this.status = status;
    this.pointers = pointers;
  }
}

/** What a server has in memory, and which mistakes it makes. */
export type State = ReturnType<typeof createState>;

/** The state of a server that makes the given mistakes. */
export function createState(planted: ReadonlySet<Plant>) {
  // Some ids have a digit more than others, so their order as text is another one.
  let ids = 940;
  const system = { id: 1, uid: 'system', isBot: true };
  return {
    has: (plant: Plant) => planted.has(plant),
    nextId: () => {
      ids += 1;
      return ids;
    },
    system,
    users: [system] as Json[],
    tokens: new Map<string, Json>(),
    apps: [] as Json[],
    comments: [] as Json[],
    posts: [] as Json[],
    files: [] as Json[],
    blobs: [] as Json[],
    webhooks: [] as Json[],
    deliveries: [] as Json[],
    /** Deliveries under way, which the server waits for when it stops. */
    sending: new Set<Promise<void>>(),
    stopping: new AbortController(),
  };
}

/** A moment as it is written. */
export function timestamp(state: State, at: number): unknown {
  if (state.has('timestampsAsNumbers')) return at;
  const text = new Date(at).toISOString();
  return state.has('timestampsInSeconds') ? text.replace(/\.\d+/, '') : text;
}

/** The user who is named by an id or a uid. */
export function findUser(state: State, ref: string): Json {
  const isId = /^[1-9]\d*$/.test(ref);
  return state.users.find((user) =>
    isId ? user.id === Number(ref) && !state.has('userIdFindsNothing') : user.uid === ref,
  );
}

/** Finds the user of a uid, or makes one. */
export function userOf(state: State, uid: string): Json {
  const found = state.users.find((user) => user.uid === uid);
  if (found !== undefined) return found;
  const user = { id: state.nextId(), uid, isBot: false };
  state.users.push(user);
  return user;
}

/** The user as whom a caller writes. */
export function authorOf(state: State, caller: Caller): Json {
  return caller.kind === 'user' ? caller.user : state.system;
}

const levels = ['none', 'read', 'write', 'manage'];

/** What a caller may do in an app. */
export function accessOf(state: State, app: Json, caller: Caller): string {
  if (caller.kind !== 'user') return 'manage';
  const member = app.members.get(caller.user.id);
  if (member?.isManager === true && !state.has('creatorIsNobody')) return 'manage';
  if (member === undefined || state.has('memberAccessIgnored')) return app.access;
  return member.access;
}

/** Fails unless a caller has an access to an app. */
export function needAccess(state: State, app: Json, { caller }: Pick<Call, 'caller'>, level: string): void {
  const access = accessOf(state, app, caller);
  const hidden = access === 'none' || (access === 'read' && level === 'read' && state.has('readIsHidden'));
  if (hidden && !state.has('noneIsShown')) throw new Refusal(state.has('noneIs403') ? 403 : 404);
  if (levels.indexOf(access) < levels.indexOf(level) && !hidden) throw new Refusal(403);
}

/** The app that a path names, seen by the caller. */
export function appOf(state: State, call: Call, { isTrashedShown = false } = {}): Json {
  const ref = call.params.app ?? '';
  const isId = /^[1-9]\d*$/.test(ref);
  const app = state.apps.find((one) =>
    isId ? one.id === Number(ref) : one.uid === ref && !state.has('uidFindsNothing'),
  );
  if (app === undefined) throw new Refusal(state.has('unknownIs400') ? 400 : 404);
  needAccess(state, app, call, 'read');
  if (app.isTrashed && !isTrashedShown) throw new Refusal(404);
  return app;
}

/** A user inside of another thing. */
export function shownUser(state: State, user: Json): Json {
  return {
    id: user.id,
    uid: user.uid,
    display_name: user.uid,
    created_at: timestamp(state, 0),
    is_bot: user.isBot,
    ...(state.has('flagsOmitted') ? {} : { is_suspended: false, is_trashed: false }),
    ...(state.has('nullsWritten') ? { given_name: null } : {}),
  };
}

/** A guid. */
export function freshGuid(): string {
  return randomUUID();
}

/** What a body must look like: the JSON type of each field. */
export type Fields = Readonly<
  Record<string, 'string' | 'integer' | 'boolean' | 'object' | 'strings' | 'integers' | 'objects'>
>;

const isOf: Readonly<Record<Fields[string], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  integers: (value) => Array.isArray(value) && value.every((item) => Number.isInteger(item)),
  objects: (value) => Array.isArray(value) && value.every(isObject),
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body as an object whose fields have the right types; an absent one has no fields. */
export function fieldsOf(state: State, { body }: Call, fields: Fields): Json {
  if (body === undefined) return {};
  const wrong = state.has('wrongTypeIs422') ? 422 : 400;
  if (!isObject(body)) throw new Refusal(wrong);
  const faults = Object.entries(fields)
    .filter(([name, type]) => body[name] !== undefined && body[name] !== null && !isOf[type](body[name]))
    .map(([name]) => `/${name}`);
  if (faults.length > 0) throw new Refusal(wrong, faults);
  return body;
}

/** Fails with 422 if a rule is broken: the pointers, each with whether its value is right. */
export function needRules(
  state: State,
  rules: readonly (readonly [pointer: string, isRight: boolean])[],
): void {
  const faults = rules.filter(([, isRight]) => !isRight).map(([pointer]) => pointer);
  if (faults.length > 0) throw new Refusal(422, state.has('firstFaultAlone') ? faults.slice(0, 1) : faults);
}

/** Trimmed tags without repetitions. */
export function foldedTags(state: State, tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim());
  const folded = state.has('tagsNotFolded') ? trimmed : [...new Set(trimmed)];
  return state.has('tagsSorted') ? folded.sort() : folded;
}

/** Whether tags are within their limits. */
export function areTags(tags: unknown): boolean {
  if (tags === undefined || tags === null) return true;
  const list = tags as string[];
  return list.length <= 100 && list.every((tag) => tag.trim() !== '' && tag.length <= 64);
}
