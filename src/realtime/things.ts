import type { Read } from '../db/db.ts';
import { withheld } from '../features/notifications/notice.ts';
import {
  changedPayload,
  isFields,
  type JsonFields,
  notificationWithoutWords,
  withBlankEntity,
} from '../features/redactions/blank.ts';
import { isSameJson } from '../kernel/json.ts';
import {
  appsOfEvents,
  entriesOfEvents,
  filesOfEvents,
  membersOfEvents,
  notificationsOfEvents,
} from './things.store.ts';

/**
 * What readers of the log may see of the *thing* that an event is about, at the moment they read (decision 0091).
 *
 * The log keeps what an event said when it was appended. A reader gets that as long as the reader could read the same at
 * the address of the thing; otherwise the thing is blank. The things of a page, or of a step of the tail, are read together,
 * and what they are does not depend on the reader, so sending an event to a thousand connections takes no statement more.
 */

/** An event with its payload as the log has it. */
type Logged = { readonly id: number; readonly entityType: string; readonly payload: string };

/** What an event is about, as it is now. */
export type Thing = {
  /** Absent for what was deleted permanently: then nobody reads anything of it. */
  readonly state?: {
    /** The user who wrote it; for a membership its user. */
    readonly authorId: number | undefined;
    /** Whether it is neither in the trash nor held, and of a membership that it has not ended. */
    readonly isShown: boolean;
    /** Whether all that it is in is out of the trash. */
    readonly isParentShown: boolean;
    /** Whether the event says what the thing says now. */
    readonly isSame: boolean;
    /** Whether its author and moderators can read what it said before. */
    readonly hasRevisions: boolean;
  };
};

/** The things of some events by the id of the event; an event without one is shown as the log has it. */
export type Things = ReadonlyMap<number, Thing>;

/** Who reads an event: an API key, or a user with what decides the user's rights in the app of the event. */
export type EventReader =
  | { readonly kind: 'key' }
  | { readonly kind: 'token'; readonly userId: number; readonly isModerator: boolean };

const entryTypes: readonly string[] = ['comment', 'post', 'message', 'option', 'reaction'];

/** Reads the things of some events; at most one statement for each kind of thing, whatever the number of events. */
export async function readThings(read: Read, events: readonly Logged[]): Promise<Things> {
  const things = new Map<number, Thing>();
  const eventsOf = (...types: readonly string[]): Map<number, Logged> => {
    const some = events.filter(({ entityType }) => types.includes(entityType));
    for (const { id } of some) things.set(id, {});
    return new Map(some.map((event) => [event.id, event]));
  };
  await addEntries(read, eventsOf(...entryTypes), things);
  await addFiles(read, eventsOf('file'), things);
  await addApps(read, eventsOf('app', 'conversation'), things);
  await addMembers(read, eventsOf('member'), things);
  await addNotifications(read, eventsOf('notification'), things);
  return things;
}

type Adding = (read: Read, events: ReadonlyMap<number, Logged>, things: Map<number, Thing>) => Promise<void>;

const addEntries: Adding = async (read, events, things) => {
  if (events.size === 0) return;
  for (const row of await read.all(entriesOfEvents, { ids: [...events.keys()] })) {
    const { entityType, payload } = loggedOf(events, row);
    const isSameOption = () => entityOf(payload, entityType).text === row.optionText;
    things.set(row.id, {
      state: {
        authorId: row.authorId,
        isShown: row.trashedAt === null,
        isParentShown: row.isParentShown === 1,
        isSame: entityType === 'option' ? isSameOption() : row.isSame === 1,
        hasRevisions: true,
      },
    });
  }
};

const addFiles: Adding = async (read, events, things) => {
  if (events.size === 0) return;
  for (const row of await read.all(filesOfEvents, { ids: [...events.keys()] })) {
    const isUnchanged = () => {
      const { version, ...file } = entityOf(loggedOf(events, row).payload, 'file');
      return version === row.version && saysTheSame(file, { ...row, uid: undefined, description: null });
    };
    things.set(row.id, {
      state: {
        authorId: row.authorId,
        isShown: row.trashedAt === null,
        isParentShown: row.isParentShown === 1,
        isSame: row.modifiedAt === null || isUnchanged(),
        hasRevisions: false,
      },
    });
  }
};

const addApps: Adding = async (read, events, things) => {
  if (events.size === 0) return;
  for (const row of await read.all(appsOfEvents, { ids: [...events.keys()] })) {
    const { entityType, payload } = loggedOf(events, row);
    things.set(row.id, {
      state: {
        authorId: undefined,
        isShown: row.trashedAt === null,
        isParentShown: true,
        isSame: row.modifiedAt === null || saysTheSame(entityOf(payload, entityType), row),
        hasRevisions: false,
      },
    });
  }
};

const addMembers: Adding = async (read, events, things) => {
  if (events.size === 0) return;
  const present = new Set((await read.all(membersOfEvents, { ids: [...events.keys()] })).map(({ id }) => id));
  for (const { id, payload } of events.values())
    things.set(id, {
      state: {
        authorId: Number(entityOf(payload, 'member').id),
        isShown: present.has(id),
        isParentShown: true,
        isSame: true,
        hasRevisions: false,
      },
    });
};

const addNotifications: Adding = async (read, events, things) => {
  if (events.size === 0) return;
  for (const { id } of await read.all(notificationsOfEvents, { ids: [...events.keys()] })) things.delete(id);
};

function loggedOf(events: ReadonlyMap<number, Logged>, { id }: { readonly id: number }): Logged {
  const event = events.get(id);
  if (event === undefined) throw new Error('a statement returned an event that was not asked for');
  return event;
}

/** The thing in the payload of an event, with all its fields. */
function entityOf(payload: string, entityType: string): JsonFields {
  const { [entityType]: entity } = JSON.parse(`{${payload}}`) as JsonFields;
  return isFields(entity) ? entity : {};
}

/** The fields of an app or file that users write. */
type Words = {
  readonly uid: string | undefined;
  readonly name: string | null;
  readonly description: string | null;
  readonly metadata: string | null;
  readonly tags: string;
};

function saysTheSame(
  { uid, name = null, description = null, metadata, tags }: JsonFields,
  now: Words,
): boolean {
  const stored = metadata === undefined ? null : JSON.stringify(metadata);
  return (
    uid === now.uid &&
    name === now.name &&
    description === now.description &&
    isSameJson(stored, now.metadata) &&
    isSameJson(JSON.stringify(tags), now.tags)
  );
}

/**
 * Whether a reader gets an event as the log has it. An API key does unless its thing was deleted permanently, because a
 * key can bring everything else back. The author of a thing and moderators do so too while what it is in is shown, unless
 * it was edited and keeps no revisions. Others do while the thing is shown and says the same.
 */
export function isWholeFor(thing: Thing | undefined, reader: EventReader): boolean {
  if (thing === undefined) return true;
  const { state } = thing;
  if (state === undefined || reader.kind === 'key') return state !== undefined;
  const isInspector = reader.isModerator || state.authorId === reader.userId;
  if (!state.isParentShown || (!state.isShown && !isInspector)) return false;
  return state.isSame || (isInspector && state.hasRevisions);
}

/** The payload of an event with its thing blank (`blank`): ids, numbers, flags and times stay as the event said them. */
export function blankPayload({ entityType, payload }: Pick<Logged, 'entityType' | 'payload'>): string {
  return changedPayload(payload, (fields) => {
    const { [entityType]: said } = fields;
    if (entityType === 'reaction') return { ...fields, reaction: '' };
    if (entityType === 'notification' && isFields(said))
      return { ...fields, notification: unavailable(said) };
    return withBlankEntity(fields, entityType);
  });
}

/** A notification as its address has it while its user may not see what it is about. */
function unavailable(notification: JsonFields): JsonFields {
  const { actor_id: _actorId, actor: _actor, link: _link, ...others } = notification;
  return notificationWithoutWords(others, withheld.template);
}
