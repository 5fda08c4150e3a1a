import { beginningOf } from '../../beginning.ts';
import type { Event } from './log.ts';

/** What the log is filtered by. The interface finds what is about one thing; for the others the page looks at what it reads. */

/** Something that events are about, such as `comment` 7. */
export type Subject = { readonly type: string; readonly id: number };

/** What the address filters by. */
export type Filters = {
  readonly about: string;
  readonly what: string;
  readonly action: string;
  readonly person: string;
  /** The id of the app. */
  readonly app: number | undefined;
  readonly subject: Subject | undefined;
  /** Whether to find what refers to the subject as well, such as notifications and reactions. */
  readonly isReferring: boolean;
};

/** Kinds of changes, by the ends of actions. */
export const whats = {
  created: /_(?:created|added|issued|linked)$/,
  updated: /_(?:updated|renamed)$/,
  deleted: /_(?:trashed|deleted|removed|erased|revoked)$/,
  restored: /_restored$/,
  moderated: /_(?:held|approved|locked|unlocked)$|^(?:report|rules)_/,
} as const;

/** What changes are about, by the beginnings of actions. */
export const abouts = {
  apps: /^app_/,
  members: /^member_/,
  comments: /^comment_/,
  posts: /^post_/,
  files: /^file_/,
  messages: /^message_|^conversation_/,
  reactions: /^reaction_|^option_/,
  notifications: /^notifications?_/,
  people: /^(?:user|tokens?|mail|directory)_/,
  webhooks: /^(?:webhook|delivery|deliveries)_/,
} as const;

/** The filters of an address, without the app, which may have to be asked for. */
export function filtersOf(query: URLSearchParams): Omit<Filters, 'app'> {
  const [, type, id] = /^(\w+):(\d+)$/.exec(query.get('entity') ?? '') ?? [];
  return {
    about: query.get('about') ?? '',
    what: query.get('what') ?? '',
    action: (query.get('action') ?? '').toLowerCase(),
    person: (query.get('person') ?? '').toLowerCase(),
    subject: type === undefined ? undefined : { type, id: Number(id) },
    isReferring: query.get('refers') === 'all',
  };
}

/** What tells whether the filters let an event through; undefined when there are none. */
export function testOf(filters: Filters): ((event: Event) => boolean) | undefined {
  const { about, what, action, person, app, subject, isReferring } = filters;
  const tests: ((event: Event) => boolean)[] = [];
  if (Object.hasOwn(abouts, about)) tests.push((event) => abouts[about as 'apps'].test(event.action));
  if (Object.hasOwn(whats, what)) tests.push((event) => whats[what as 'created'].test(event.action));
  if (action !== '') tests.push((event) => event.action.includes(action));
  if (person !== '') tests.push(({ actor }) => isPerson(actor, person));
  if (app !== undefined) tests.push((event) => appOf(event) === app);
  if (subject !== undefined && isReferring)
    tests.push((event) =>
      subjectsOf(event).some((each) => each.type === subject.type && each.id === subject.id),
    );
  if (subject !== undefined && !isReferring) tests.push((event) => isOwn(event, subject));
  return tests.length === 0 ? undefined : (event) => tests.every((passes) => passes(event));
}

function isPerson({ id, uid, display_name }: Event['actor'], person: string): boolean {
  return (
    String(id) === person || uid?.toLowerCase() === person || display_name.toLowerCase().includes(person)
  );
}

type Fields = { readonly [name: string]: unknown };

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields of an event that are not what it is about. */
const others = ['actor'];

/** What an event is about, the first one most of all: a notification also about what it links to. */
export function subjectsOf(event: Event): Subject[] {
  const found = new Map<string, Subject>();
  const add = (type: unknown, id: unknown) => {
    if (typeof type === 'string' && typeof id === 'number') found.set(`${type}:${id}`, { type, id });
  };
  for (const [name, value] of Object.entries(event)) {
    if (others.includes(name) || !isObject(value)) continue;
    if (name === 'entity') add(value.type, value.id);
    // A member is the user, in an app.
    else add(name === 'member' ? 'user' : name, value.id);
    for (const inner of [value.link, value.entity, value.item])
      if (isObject(inner)) add(inner.type, inner.id);
  }
  return [...found.values()];
}

/** Whether an event is what happened to something: that comes first in it. */
function isOwn(event: Event, subject: Subject): boolean {
  const [name, value] =
    Object.entries(event).find(([each, inner]) => !others.includes(each) && isObject(inner)) ?? [];
  return name === subject.type && isObject(value) && value.id === subject.id;
}

/** The id of the app that an event happened in. */
export function appOf(event: Event): number | undefined {
  for (const [name, value] of Object.entries(event)) {
    if (others.includes(name) || !isObject(value)) continue;
    const id = name === 'app' ? value.id : value.app_id;
    if (typeof id === 'number') return id;
  }
  return undefined;
}

/** The words that an event is about, such as the text of a comment; empty where it has none. */
export function wordsOf(event: Event): string {
  for (const [name, value] of Object.entries(event)) {
    if (others.includes(name) || !isObject(value)) continue;
    const { plain, text, title, name: own, display_name, uid, payload_url } = value;
    const words = [plain, text, title, display_name, own, payload_url, uid].find(
      (each) => typeof each === 'string' && each !== '',
    );
    if (words !== undefined) return beginningOf(String(words), 120);
  }
  return '';
}
