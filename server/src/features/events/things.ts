import type { Read } from '../../db/db.ts';
import type { Query } from '../../db/statement.ts';
import { isSameJson } from '../../kernel/json.ts';
import {
  changedPayload,
  isFields,
  type JsonFields,
  notificationWithoutWords,
  withBlankEntity,
} from '../redactions/blank.ts';
import {
  appsNow,
  entriesNow,
  eventsOfMembers,
  eventsOfPresentTexts,
  filesNow,
  notificationsKept,
  notificationsNow,
  optionsNow,
  reactionsNow,
} from './things.store.ts';

/**
 * Decides how much readers of the log see of a *thing*, the subject of an event, when they read it (decision 0091).
 *
 * The log keeps an event as it was appended. A reader gets the thing from the event if the reader could read the same
 * content at the address of the thing; otherwise the thing is blank. The things of a page, or of a step of the tail, are
 * read together. Their state does not depend on the reader, so sending an event to a thousand connections takes no further
 * statement.
 */

/** An event with its payload as the log has it. */
type Logged = {
  readonly id: number;
  readonly entityType: string;
  readonly entityId: number;
  readonly payload: string;
};

/** The current state of the thing that an event is about. */
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

/** The reader of an event: an API key, or a user with the facts that decide the user's rights in the app of the event. */
export type EventReader =
  | { readonly kind: 'key' }
  | { readonly kind: 'token'; readonly userId: number; readonly isModerator: boolean };

const entryTypes: readonly string[] = ['comment', 'post', 'message'];

/**
 * Reads the things of some events: a statement for each kind of thing, and one for entries that were edited, whatever the
 * number of events.
 */
export async function readThings(read: Read, events: readonly Logged[]): Promise<Things> {
  const things = new Map<number, Thing>();
  const eventsOf = (...types: readonly string[]): Logged[] => {
    const some = events.filter(({ entityType }) => types.includes(entityType));
    for (const { id } of some) things.set(id, {});
    return some;
  };
  await addEntries(read, eventsOf(...entryTypes, 'option', 'reaction'), things);
  await addFiles(read, eventsOf('file'), things);
  await addApps(read, eventsOf('app', 'conversation'), things);
  await addMembers(read, eventsOf('member'), things);
  await addNotifications(read, eventsOf('notification'), things);
  return things;
}

type Adding = (read: Read, events: readonly Logged[], things: Map<number, Thing>) => Promise<void>;

/** The rows of a statement for the things of some events, by id; no statement where there are none. */
async function rowsOf<R extends { readonly id: number }>(
  read: Read,
  statement: Query<{ ids: readonly number[] }, R>,
  ids: readonly number[],
): Promise<Map<number, R>> {
  if (ids.length === 0) return new Map();
  return new Map((await read.all(statement, { ids: [...new Set(ids)] })).map((row) => [row.id, row]));
}

const idsOfThings = (events: readonly Logged[], type: string): number[] =>
  events.filter(({ entityType }) => entityType === type).map(({ entityId }) => entityId);

const addEntries: Adding = async (read, events, things) => {
  const options = await rowsOf(read, optionsNow, idsOfThings(events, 'option'));
  const reactions = await rowsOf(read, reactionsNow, idsOfThings(events, 'reaction'));
  const entryIdOf = ({ entityType, entityId }: Logged): number => {
    if (entityType === 'option') return options.get(entityId)?.entryId ?? 0;
    return entityType === 'reaction' ? (reactions.get(entityId)?.entryId ?? 0) : entityId;
  };
  const entries = await rowsOf(read, entriesNow, events.map(entryIdOf));
  const isOfEdited = (event: Logged) =>
    entryTypes.includes(event.entityType) && (entries.get(event.entityId)?.modifiedAt ?? null) !== null;
  const ofEdited = events.filter(isOfEdited);
  const present = await rowsOf(
    read,
    eventsOfPresentTexts,
    ofEdited.map(({ id }) => id),
  );
  const old = new Set(ofEdited.map(({ id }) => id).filter((id) => !present.has(id)));
  for (const event of events) {
    const { id, entityType, entityId, payload } = event;
    const entry = entries.get(entryIdOf(event));
    if (entry === undefined || !isKept(entry.appState) || !isKept(entry.parentState)) continue;
    const option = entityType === 'option' ? options.get(entityId) : undefined;
    const isSame = option === undefined || entityOf(payload, 'option')['text'] === option.text;
    things.set(id, {
      state: {
        authorId: entry.authorId,
        isShown: entry.trashedAt === null,
        isParentShown: entry.appState === 0 && entry.parentState === 0,
        isSame: isSame && !old.has(id),
        hasRevisions: true,
      },
    });
  }
};

/** Whether an app or a parent in this state is there, if only in the trash. */
function isKept(state: number | null): boolean {
  return state === 0 || state === 1;
}

const addFiles: Adding = async (read, events, things) => {
  const files = await rowsOf(read, filesNow, idsOfThings(events, 'file'));
  for (const { id, entityId, payload } of events) {
    const row = files.get(entityId);
    if (row === undefined || !isKept(row.appState)) continue;
    const isUnchanged = () => {
      const { version, ...file } = entityOf(payload, 'file');
      return version === row.version && saysTheSame(file, { ...row, uid: undefined, description: null });
    };
    things.set(id, {
      state: {
        authorId: row.authorId,
        isShown: row.trashedAt === null,
        isParentShown: row.appState === 0,
        isSame: row.modifiedAt === null || isUnchanged(),
        hasRevisions: false,
      },
    });
  }
};

const addApps: Adding = async (read, events, things) => {
  const apps = await rowsOf(
    read,
    appsNow,
    events.map(({ entityId }) => entityId),
  );
  for (const { id, entityType, entityId, payload } of events) {
    const row = apps.get(entityId);
    if (row === undefined) continue;
    things.set(id, {
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
  const present = await rowsOf(
    read,
    eventsOfMembers,
    events.map(({ id }) => id),
  );
  for (const { id, entityId } of events)
    things.set(id, {
      state: {
        authorId: entityId,
        isShown: present.has(id),
        isParentShown: true,
        isSame: true,
        hasRevisions: false,
      },
    });
};

const addNotifications: Adding = async (read, events, things) => {
  const ids = idsOfThings(events, 'notification');
  const visibleRows = await rowsOf(read, notificationsNow, ids);
  const isHidden = (id: number) => !visibleRows.has(id);
  const hiddenRows = await rowsOf(read, notificationsKept, ids.filter(isHidden));
  for (const { id, entityId } of events) {
    if (visibleRows.has(entityId)) things.delete(id);
    if (!hiddenRows.has(entityId)) continue;
    const hidden = { isShown: false, isParentShown: true, isSame: true, hasRevisions: false };
    things.set(id, { state: { authorId: undefined, ...hidden } });
  }
};

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
  return notificationWithoutWords(others);
}
