/**
 * Plans the import of a Weavy server: what of it is written, under which uids, and why the rest is left out. Planning is
 * pure, so a dry run and an import decide the same.
 *
 * Users and apps keep the uids that the host product gave them, because it finds them by these. What has none gets a uid
 * made of its server and its id there, so that a second import finds it again.
 */
import { createHash } from 'node:crypto';
import type { AppType } from 'confab-contract/apps.ts';
import { limits } from 'confab-contract/fields.ts';
import type { LeftOutReason } from 'confab-contract/import-words.ts';
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { ownUidFault } from 'confab-contract/values/ids.ts';
import type {
  WeavyApp,
  WeavyAppFile,
  WeavyEntry,
  WeavyExport,
  WeavyFile,
  WeavyReaction,
  WeavyUser,
} from 'confab-importers/weavy/weavy-records.ts';
import { directoryOfVisitors } from '../../../kernel/principal.ts';
import { visibleText } from '../../../kernel/unseen.ts';
import { emojiOf } from '../../reactions/emoji.ts';
import type { WeavyReport } from './weavy-report.ts';

/** A user to create, unless there is one with the uid: the host product decides who has it. */
export type PlannedPerson = Omit<WeavyUser, 'uid'> & { readonly uid: string };

/** An app to create, unless there is one with the uid. */
export type PlannedPlace = WeavyApp & { readonly uid: string; readonly type: AppType };

/** An item to create; what it belongs to comes before it. */
export type PlannedItem = WeavyEntry | WeavyAppFile;

/** Everything that an import of a server writes. */
export type WeavyPlan = {
  readonly source: string;
  readonly people: readonly PlannedPerson[];
  readonly places: readonly PlannedPlace[];
  readonly items: readonly PlannedItem[];
  readonly report: WeavyReport;
};

// The limits on what arrives over HTTP hold for what is imported as well.
const { textBytesMax, nameCharactersMax, descriptionCharactersMax, optionCharactersMax } = limits;
const tagCharactersMax = 64;
const tagsMax = 100;
/** The longest email address that is kept. */
const emailCharactersMax = 256;

/** The key of something in the table of what was imported. */
export function keyOf(kind: PlannedItem['kind'] | 'user' | 'app', id: string): string {
  return `${kind}:${id}`;
}

/** Plans the import of what was pulled. */
export function planWeavy(pulled: WeavyExport): WeavyPlan {
  const { source, users, apps, unreadable, rest, notes } = pulled;
  const places = apps.flatMap((app) => planPlace(app, source) ?? []);
  const { items, leftOut, lost } = planItems(pulled, new Set(places.map(({ id }) => id)));
  const needed = new Set([
    ...items.flatMap((item) => [item.authorId, ...('reactions' in item ? peopleOf(item) : [])]),
    ...places.flatMap(({ members }) => members.map(({ userId }) => userId)),
  ]);
  // Users in the trash are needed only as authors and members.
  const people = users
    .filter(({ id, isTrashed }) => !isTrashed || needed.has(id))
    .map((user) => planPerson(user, source));
  const tagged = [...users, ...apps, ...items].flatMap(({ tags }) => tags);
  return {
    source,
    people,
    places,
    items,
    report: {
      kind: 'weavy',
      source,
      found: pulled.items.length + unreadable.length,
      counts: countsOf(items),
      leftOut: { ...leftOut, ...(unreadable.length === 0 ? {} : { unreadable: unreadable.length }) },
      apps: places.length,
      appsFound: apps.length,
      restrictedApps: places.filter(({ access }) => access === 'none').length,
      users: people.length,
      usersFound: users.length,
      members: places.reduce((sum, { members }) => sum + members.length, 0),
      rest: { ...rest, ...lost, tags: tagged.filter((tag) => readTags([tag]).length === 0).length },
      notes: [
        ...notes,
        ...unreadable.slice(0, 20).map(({ where, cause }) => `The ${where} is unreadable: ${cause}.`),
        ...(unreadable.length > 20 ? [`${unreadable.length - 20} more are unreadable.`] : []),
      ],
    },
  };
}

function peopleOf({ reactions, options }: WeavyEntry): string[] {
  return [...reactions.map(({ userId }) => userId), ...options.flatMap(({ voterIds }) => voterIds)];
}

/** What items are and have on them, in numbers. */
function countsOf(items: readonly PlannedItem[]): WeavyReport['counts'] {
  const entries = items.filter((item) => item.kind !== 'file');
  const files = [
    ...entries.flatMap(({ attachments }) => attachments),
    ...items.flatMap((item) => (item.kind === 'file' ? [item.file] : [])),
  ];
  const ofKind = (kind: PlannedItem['kind']) => items.filter((item) => item.kind === kind).length;
  const sum = (count: (entry: WeavyEntry) => number) =>
    entries.reduce((total, entry) => total + count(entry), 0);
  return {
    comments: ofKind('comment'),
    posts: ofKind('post'),
    messages: ofKind('message'),
    files: ofKind('file'),
    attachments: sum(({ attachments }) => attachments.length),
    reactions: sum(({ reactions }) => reactions.length),
    polls: entries.filter(({ options }) => options.length > 0).length,
    votes: sum(({ options }) => options.reduce((total, { voterIds }) => total + voterIds.length, 0)),
    bytes: files.reduce((total, { size }) => total + size, 0),
  };
}

/** A uid of something that its server gave none, which looks like one that Confab makes. */
function madeUid(prefix: string, source: string, id: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([source, prefix, id]))
    .digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20)];
  return `${prefix}:${parts.join('-')}-${digest.slice(20, 32)}`;
}

function uidOf(owner: 'app' | 'user', given: string | undefined, made: () => string): string {
  return given === undefined || ownUidFault(owner, given) !== undefined ? made() : given;
}

function directoryOf(name: string | undefined): string | undefined {
  const shown = name === undefined ? '' : beginningOf(name, nameCharactersMax);
  // A name of digits would be the id of another directory.
  if (shown === '' || shown === directoryOfVisitors || /^\d+$/.test(shown)) return undefined;
  return shown;
}

function planPerson(user: WeavyUser, source: string): PlannedPerson {
  const { email } = user;
  return {
    ...user,
    uid: uidOf('user', user.uid, () => madeUid('weavy', source, user.id)),
    name: visibleText(beginningOf(user.name, nameCharactersMax)) ?? 'Anonymous',
    email:
      email !== undefined && email.length <= emailCharactersMax && emailForm.test(email) ? email : undefined,
    directory: directoryOf(user.directory),
    tags: readTags(user.tags),
    // Nobody who could not sign in there can sign in here.
    isSuspended: user.isSuspended || user.isTrashed,
  };
}
const emailForm = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;

function planPlace(app: WeavyApp, source: string): PlannedPlace | undefined {
  const { type } = app;
  if (type === undefined || app.isTrashed) return undefined;
  const members = new Map(app.members.map((member) => [member.userId, member]));
  const directory = directoryOf(app.directory);
  return {
    ...app,
    type,
    uid: uidOf('app', app.uid, () => madeUid(type, source, app.id)),
    name: visibleText(app.name && beginningOf(app.name, nameCharactersMax)) ?? undefined,
    description: app.description && beginningOf(app.description, descriptionCharactersMax),
    directory,
    // What one directory may read must not be open to all.
    access: app.directory !== undefined && directory === undefined ? 'none' : app.access,
    tags: readTags(app.tags),
    members: [...members.values()],
  };
}

/** The tags that Confab takes. */
function readTags(tags: readonly string[]): string[] {
  const short = tags
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && !/[\p{Cc}\p{Cs}]/u.test(tag) && [...tag].length <= tagCharactersMax);
  return [...new Set(short)].slice(0, tagsMax);
}

/** The items to write, each behind what it belongs to and otherwise by time, and the numbers of the others by reason. */
function planItems({ items }: WeavyExport, placeIds: ReadonlySet<string>) {
  const leftOut: Partial<Record<LeftOutReason, number>> = {};
  const lost = { elsewhere: 0, large: 0, moreReactions: 0, moreVotes: 0 };
  const kept = new Map<string, PlannedItem>();
  const take = (found: PlannedItem) => {
    const key = keyOf(found.kind, found.id);
    const item = found.kind === 'file' ? found : plannedEntry(found);
    const reason = reasonToLeaveOut(item, { placeIds, kept }) ?? (kept.has(key) ? 'duplicate' : undefined);
    if (reason !== undefined) leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    else {
      kept.set(key, { ...item, tags: readTags(item.tags) });
      if (found.kind !== 'file' && item.kind !== 'file') addLost(lost, found, item);
    }
  };
  const isBelow = (item: PlannedItem) => item.kind === 'comment' && item.parent !== undefined;
  const byTime = items.toSorted((a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id));
  for (const item of byTime) if (!isBelow(item)) take(item);
  for (const item of byTime) if (isBelow(item)) take(item);
  return { items: [...kept.values()], leftOut, lost };
}

/** An entry as Confab holds it: one reaction and one vote of each user, and the attachments whose bytes it can have. */
function plannedEntry(entry: WeavyEntry): WeavyEntry {
  const voters = new Set<string>();
  const reactions = new Map<string, WeavyReaction>();
  for (const reaction of entry.reactions) {
    const content = emojiOf(reaction.content);
    if (content !== undefined && !reactions.has(reaction.userId))
      reactions.set(reaction.userId, { ...reaction, content });
  }
  const isFirstVote = (id: string) => !voters.has(id) && voters.add(id) === voters;
  return {
    ...entry,
    attachments: entry.attachments.filter((file) => faultOf(file) === undefined),
    reactions: [...reactions.values()],
    options: entry.options.map(({ text, voterIds }) => ({
      text: beginningOf(text, optionCharactersMax),
      voterIds: voterIds.filter(isFirstVote),
    })),
  };
}

/** Why the bytes of a file are not taken. */
function faultOf({ url, size }: WeavyFile): 'file_elsewhere' | 'file_too_large' | undefined {
  if (url === undefined) return 'file_elsewhere';
  return size > limits.uploadBytesMax ? 'file_too_large' : undefined;
}

type Lost = { elsewhere: number; large: number; moreReactions: number; moreVotes: number };

/** Counts what an entry had and the planned one has not. */
function addLost(lost: Lost, found: WeavyEntry, planned: WeavyEntry): void {
  const votesOf = ({ options }: WeavyEntry) =>
    options.reduce((sum, { voterIds }) => sum + voterIds.length, 0);
  lost.elsewhere += found.attachments.filter((file) => faultOf(file) === 'file_elsewhere').length;
  lost.large += found.attachments.filter((file) => faultOf(file) === 'file_too_large').length;
  lost.moreReactions += found.reactions.length - planned.reactions.length;
  lost.moreVotes += votesOf(found) - votesOf(planned);
}

function reasonToLeaveOut(
  item: PlannedItem,
  { placeIds, kept }: { readonly placeIds: ReadonlySet<string>; readonly kept: ReadonlyMap<string, unknown> },
): LeftOutReason | undefined {
  if (item.isTrashed) return 'deleted';
  if (!placeIds.has(item.appId)) return 'app_left_out';
  if (item.kind === 'file') return faultOf(item.file);
  const { parent, text, attachments, options } = item;
  if (parent !== undefined && !kept.has(keyOf(parent.kind, parent.id))) return 'parent_left_out';
  if (text === '' && attachments.length === 0 && options.length === 0) return 'text_empty';
  return Buffer.byteLength(text) > textBytesMax ? 'text_too_long' : undefined;
}
