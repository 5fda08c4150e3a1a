import type { EntryKind, EntryRow } from '../../access/entry/entry.sql.ts';
import { readersOf } from '../../access/held.ts';
import type { Read } from '../../db/db.ts';
import { type ActionOn, append } from '../../events/events.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type EntryEnd, entryFields } from '../../second-form/shapes/entry.ts';
import { attachmentsOf } from '../attachments/attachments.ts';
import { renderedOptions } from '../options/option-json.ts';
import { renderedReactions } from '../reactions/entry-reactions.ts';
import { actorOf, renderUserFor } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import type { ListedEntry } from './entries.sql.ts';
import type { EntryChange, EntryRead } from './entries.ts';
import { type EntryParts, renderEnd, renderEntry, renderParent } from './entry-json.ts';
import { renderedReferences } from './entry-references.ts';
import { renderedPostFields } from './post-fields.ts';

/**
 * How entries are shown: in lists, alone and in events. The other rows that an entry shows are read once, and then the
 * entry is rendered in each form that is needed.
 */

// No list can expand voters: each entry may have many of them.
const detailForm: ReadonlySet<string> = new Set([
  'parent',
  'created_by',
  'modified_by',
  'embed',
  'meeting',
  'voters',
]);
// Neither who voted nor where people meet is for everyone.
const visitorForm: ReadonlySet<string> = new Set(['parent', 'created_by', 'embed']);
// Clients put the entry of an event into their lists, where they know nothing else of its embed and meeting.
const eventForm: ReadonlySet<string> = new Set(['parent', 'embed', 'meeting']);

/** What an entry says of the other rows that it shows. */
export type EntryFacts = Omit<ListedEntry, 'content'>;

/** The parts of one of the entries that were read. `expand` may only name fields that were read for them. */
type PartsOf = (entry: EntryFacts, expand: ReadonlySet<string>) => EntryParts;

/** Entries of one kind, and what to expand in them. */
export type Selection<E extends EntryFacts = ListedEntry> = {
  readonly kind: EntryKind;
  readonly entries: readonly E[];
  readonly expand: ReadonlySet<string>;
};

/** Renders entries with what `expand` names; the number of statements does not depend on the number of entries. */
export async function renderEntries(reading: EntryRead, selection: Selection): Promise<Json[]> {
  const partsOf = await readParts(reading, selection);
  return selection.entries.map((entry) => renderEntry(entry, partsOf(entry, selection.expand)));
}

/** The fields of an entry that say which other rows it ends with. */
export type PartCounts = Pick<
  ListedEntry,
  'id' | 'attachmentCount' | 'optionCount' | 'reactionCount' | 'anchor'
>;

/** Roughly how many bytes of a list an attachment, an option and a reaction take. */
const attachmentBytes = 1200;
const optionBytes = 600;
const reactionBytes = 120;

/** Roughly how many bytes the parts of an entry take. */
export function partBytes({ attachmentCount, optionCount, reactionCount, anchor }: PartCounts): number {
  const ends = attachmentCount * attachmentBytes + optionCount * optionBytes + reactionCount * reactionBytes;
  return ends + (anchor?.length ?? 0);
}

/** What most entries end with. */
export const nothing: EntryEnd = { attachments: [], options: [], reactions: [] };

function hasParts({ attachmentCount, optionCount, reactionCount }: PartCounts): boolean {
  return attachmentCount > 0 || optionCount > 0 || reactionCount > 0;
}

/** Reads what some entries end with. */
async function readEnds(
  reading: EntryRead,
  { kind, entries, hasVoters }: { kind: EntryKind; entries: readonly PartCounts[]; hasVoters: boolean },
) {
  const { caller } = reading;
  if (!entries.some(hasParts)) {
    const end = renderEnd(caller, nothing);
    return () => end;
  }
  const [attachments, options, reactions] = await Promise.all([
    renderedAttachments(reading, kind, entries),
    renderedOptions(reading, entries, { hasVoters }),
    renderedReactions(reading, entries),
  ]);
  return (id: number, viewer: { readonly hasVoters: boolean }) =>
    renderEnd(caller, {
      attachments: attachments.get(id) ?? [],
      options: options(id, viewer),
      reactions: reactions.get(id) ?? [],
    });
}

/**
 * Reads the other rows that some entries show; the number of statements does not depend on the number of entries. `known`
 * are their authors and editors, rendered, where these were read with them.
 */
export async function readParts(
  reading: EntryRead,
  { kind, entries, expand }: Selection<EntryFacts>,
  known?: Map<number, Json>,
): Promise<PartsOf> {
  const { read, caller } = reading;
  // Asked together, so that a remote engine answers all of them in one round trip.
  const [endOf, users, referencesOf, postFields] = await Promise.all([
    readEnds(reading, { kind, entries, hasVoters: expand.has('voters') }),
    known ?? authors(read, caller, { entries, expand }),
    renderedReferences(reading, entries, expand),
    kind === 'post' ? renderedPostFields(read, caller, entries) : undefined,
  ]);
  return (entry, shown) => {
    const editor =
      shown.has('modified_by') && entry.modifiedById !== null ? users.get(entry.modifiedById) : undefined;
    return {
      end: endOf(entry.id, { hasVoters: shown.has('voters') }),
      fields: {
        reply_count: entry.replyCount > 0 ? json(String(entry.replyCount)) : undefined,
        anchor: entry.anchor === null ? undefined : json(entry.anchor),
        parent: shown.has('parent') ? renderParent(entry) : undefined,
        created_by: shown.has('created_by') ? users.get(entry.createdById) : undefined,
        modified_by: editor,
        ...referencesOf(entry),
        ...postFields?.get(entry.id),
        ...(caller.form === undefined
          ? undefined
          : entryFields({ appId: entry.appId, updatedAt: entry.modifiedAt, updatedBy: editor })),
      },
    };
  };
}

/** The rendered attachments of some entries by entry id; no statement if none has attachments. */
async function renderedAttachments(
  { read, caller, links }: EntryRead,
  kind: EntryKind,
  entries: readonly PartCounts[],
): Promise<Map<number, string[]>> {
  const ids = entries.filter((entry) => entry.attachmentCount > 0).map((entry) => entry.id);
  if (ids.length === 0) return new Map();
  if (links === undefined) throw new Error('an entry has attachments where none can be');
  return await attachmentsOf({ read, caller, links }, { kind, ids });
}

async function authors(
  read: Read,
  caller: Principal,
  { entries, expand }: Pick<Selection<EntryFacts>, 'entries' | 'expand'>,
): Promise<Map<number, Json>> {
  const ids = new Set<number>();
  for (const entry of entries) {
    if (expand.has('created_by')) ids.add(entry.createdById);
    if (expand.has('modified_by') && entry.modifiedById !== null) ids.add(entry.modifiedById);
  }
  // The author is usually the caller, who is known already.
  const isOwn = ids.delete(caller.user.id);
  const users = ids.size === 0 ? new Map<number, Json>() : await renderedUsers(read, caller, [...ids]);
  return isOwn ? users.set(caller.user.id, renderUserFor(caller, caller.user)) : users;
}

/** One entry in full. */
export async function entryDetail(reading: EntryRead, entry: EntryRow): Promise<Json> {
  const form = reading.caller.kind === 'visitor' ? visitorForm : detailForm;
  const partsOf = await readParts(reading, { kind: entry.kind, entries: [entry], expand: form });
  return renderEntry(entry, partsOf(entry, form));
}

/** The reader of an event: users and webhooks, who get the first form whoever made the change. */
function tellerOf(caller: Principal): Principal {
  const { form, ...teller } = caller;
  if (caller.kind === 'visitor') return { ...teller, kind: 'token' };
  return form === undefined ? caller : teller;
}

/**
 * The other rows that the event of a change will show, read before the change, because then its turn to write is shorter;
 * undefined where the change may change them.
 */
export async function partsBefore(change: EntryChange, entry: EntryRow): Promise<PartsOf | undefined> {
  return hasParts(entry) ? undefined : await partsToTell(change, entry);
}

function partsToTell(change: EntryChange, entry: EntryRow): Promise<PartsOf> {
  const selection = { kind: entry.kind, entries: [entry], expand: detailForm };
  return readParts({ ...change, read: change.tx, caller: tellerOf(change.caller) }, selection);
}

/**
 * The event of a change: its action, whether webhooks and notifications leave it out in any case, and the parts of the entry
 * where they were read before.
 */
type Recorded = {
  readonly action: ActionOn<'comment' | 'post' | 'message'>;
  readonly isSilent?: boolean;
  readonly parts?: PartsOf | undefined;
};

/** Appends the event of a change of an entry and returns the entry in full. */
export async function recordEntry(
  change: EntryChange,
  entry: EntryRow,
  { parts, ...event }: Recorded,
): Promise<Json> {
  const { tx, caller } = change;
  const reading = { ...change, read: tx };
  const partsOf = parts ?? (await partsToTell(change, entry));
  await appendEvent(change, entry, { ...event, json: renderEntry(entry, partsOf(entry, eventForm)) });
  return caller.kind === 'visitor' || caller.form !== undefined
    ? await entryDetail(reading, entry)
    : renderEntry(entry, partsOf(entry, detailForm));
}

/** Appends the event of the deletion of an entry that is still there. */
export async function recordDeletion(change: EntryChange, entry: EntryRow): Promise<void> {
  const selection = { kind: entry.kind, entries: [entry], expand: eventForm };
  const { tx, caller } = change;
  const partsOf = await readParts({ ...change, read: tx, caller: tellerOf(caller) }, selection);
  const json = renderEntry(entry, partsOf(entry, eventForm));
  await appendEvent(change, entry, { action: `${entry.kind}_deleted`, json });
}

async function appendEvent(
  { tx, caller, at }: EntryChange,
  entry: EntryRow,
  { json: entryJson, ...event }: Omit<Recorded, 'parts'> & { readonly json: Json },
): Promise<void> {
  const { id, appId } = entry;
  const readers = readersOf(entry, event.action);
  await append(tx, {
    ...event,
    // The actions of the three kinds carry the same, and are too many for the compiler to try each.
    action: event.action as 'comment_created',
    ...readers,
    at,
    actor: actorOf(caller),
    appId,
    entity: { id, json: entryJson },
  });
}
