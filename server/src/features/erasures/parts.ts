import type { ErasedKind } from 'confab-contract/erasures.ts';
import { mentionTag } from 'confab-contract/values/canonical-html.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Command, Query } from '../../db/statement.ts';
import { dropCounts } from '../../db/tallies.ts';
import { deleteNotificationsOf } from '../notifications/refresh.ts';
import { redactItems } from '../redactions/redactions.ts';
import { eraseEntries, eraseRevisions } from './erase-entries.ts';
import { eraseFiles, eraseVersions } from './erase-files.ts';
import { answersWithout, eventsWithout, notificationsWithout } from './erase-log.ts';
import { erasePictures } from './erase-pictures.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import { moveReactionsToHeir } from './heir.ts';
import type { LastIds } from './newest-ids.store.ts';
import {
  clearNotes,
  clearSnapshots,
  deleteEmbeds,
  deleteMeetings,
  deleteReactions,
  deleteVotes,
  expireUploads,
  givenRows,
  giveReports,
  ownedRows,
  takeReactions,
  takeVotes,
} from './owned-rows.store.ts';
import { type Person, payloadWithout } from './person-json.ts';
import {
  answersFrom,
  editedFrom,
  entriesFrom,
  eventsFrom,
  filesFrom,
  newestIds,
  notificationsFrom,
  reactionsFrom,
  revisionsFrom,
  versionsFrom,
  votesFrom,
  type WalkedIds,
} from './walks.store.ts';

/**
 * The work of an erasure as a list of parts, in their order. A part works in steps, each one transaction that also notes
 * what was counted and how far the part is; so a process that ends in between costs one step at most, which is rolled
 * back with its counts.
 *
 * The order makes the counts exact: what could go along with something else is removed before it. Entries are removed
 * from the newest down, so comments go before what they are on.
 */

/** A part that removes the first rows again and again until there are none. `run` returns whether there may be more. */
type Drain = {
  readonly name: string;
  readonly run: (tx: Tx, step: ErasingStep) => Promise<{ counts: Counts; hasMore: boolean }>;
};

/** A row of a walk. */
type Row = { readonly id: number };

/** Rows that a step changed, and what it counted. */
type Changed = { readonly rows: readonly Row[]; readonly counts: Counts };

/** A part that walks a table from its newest id down, step by step. */
export type Walk = {
  readonly name: string;
  readonly table: keyof typeof newestIds;
  /** The noted ids at which the walk ends; without them it goes on to the oldest row. */
  readonly since?: keyof LastIds;
  /** How many ids one step spans. */
  readonly span: number;
  /** The most rows that one step changes. */
  readonly top: number;
  /** The newest row of some ids. */
  readonly newest: (read: Read, ids: Omit<WalkedIds, 'top'>) => Promise<Row | undefined>;
  /** Removes or changes the rows of some ids; returns them, and what was counted. */
  readonly change: (tx: Tx, ids: WalkedIds, step: ErasingStep) => Promise<Changed>;
  /** Whether several rows have the same id and all found ones are deleted. */
  readonly isById?: false;
};

/** A part of an erasure. */
export type Part = Drain | Walk;

/** Rows that one transaction removes: a few milliseconds of the one writer. */
const rowsPerStep = 500;

/** Pictures of apps that one transaction removes, each with an event. */
const picturesPerStep = 100;

function drain(
  name: string,
  statement: Command<{ userId: number; top: number }, unknown>,
  kind?: ErasedKind,
): Drain {
  return {
    name,
    async run(tx, { person }) {
      const count = await tx.changed(statement, { userId: person.userId, top: rowsPerStep });
      return { counts: kind === undefined ? {} : { [kind]: count }, hasMore: count === rowsPerStep };
    },
  };
}

/** A drain whose rows the heir gets, where there is one, except for those that the heir has as well. */
function inheritance(name: string, table: keyof typeof givenRows): Drain {
  const rest = drain(name, ownedRows[table]);
  return {
    name,
    async run(tx, step) {
      const { userId, heirId } = step.person;
      const movedRows =
        heirId === null ? 0 : await tx.changed(givenRows[table], { userId, heirId, top: rowsPerStep });
      return movedRows === rowsPerStep ? { counts: {}, hasMore: true } : await rest.run(tx, step);
    },
  };
}

function walk<R extends Row>(
  name: string,
  {
    rows: statement,
    change,
    ...options
  }: {
    table: keyof typeof newestIds;
    since?: keyof LastIds;
    span: number;
    top: number;
    rows: Query<WalkedIds, R>;
    change: (tx: Tx, rows: readonly R[], step: ErasingStep) => Promise<Counts>;
    isById?: false;
  },
): Walk {
  return {
    name,
    ...options,
    newest: (read, ids) => read.get(statement, { ...ids, top: 1 }),
    async change(tx, ids, step) {
      const rows = await tx.all(statement, ids);
      return { rows, counts: rows.length === 0 ? {} : await change(tx, rows, step) };
    },
  };
}

/** Rows that say little, of which a step reads many. */
const small = { span: 5000, top: rowsPerStep };
/** Rows with texts. */
const large = { span: 1000, top: 100 };

/** Every part, in the order of the work. */
export const parts: readonly Part[] = [
  {
    // Texts that were deleted earlier are in no receipt, because they may have left the log already.
    name: 'earlier redactions',
    async run(tx, { at }) {
      const { hasMore } = await redactItems(tx, at + 1, (payload) => payload);
      return { counts: {}, hasMore };
    },
  },
  {
    // Before what they are about goes and takes them along.
    name: 'notifications',
    async run(tx, { person: { userId } }) {
      const notifications = await deleteNotificationsOf(tx, { userId, top: rowsPerStep });
      const hasMore = notifications === rowsPerStep;
      if (!hasMore) await dropCounts(tx, { parentType: 'user', parentId: userId });
      return { counts: { notifications }, hasMore };
    },
  },
  drain('memberships', ownedRows.members, 'memberships'),
  inheritance('approvals', 'approved_counts'),
  drain('mail', ownedRows.mail_states),
  drain('agents', ownedRows.agents),
  drain('questions to agents', ownedRows.agent_questions),
  inheritance('recent texts', 'recent_texts'),
  inheritance('reports of the user', 'complaints'),
  drain('stars', ownedRows.stars, 'stars'),
  drain('follows', ownedRows.follows, 'follows'),
  drain('followers', ownedRows.followers, 'follows'),
  drain('subscriptions', ownedRows.subscriptions, 'subscriptions'),
  drain('presence', ownedRows.presence),
  walk('reactions', {
    ...small,
    table: 'reactions',
    since: 'reactions',
    rows: reactionsFrom,
    async change(tx, rows, { person: { heirId } }) {
      if (heirId !== null) return await moveReactionsToHeir(tx, rows, heirId);
      await tx.run(deleteReactions, { ids: rows.map(({ id }) => id) });
      await tx.run(takeReactions, { entryIds: rows.map(({ entryId }) => entryId) });
      return { reactions: rows.length };
    },
  }),
  walk('votes', {
    ...small,
    table: 'votes',
    rows: votesFrom,
    async change(tx, rows, { person: { userId } }) {
      await tx.run(deleteVotes, { userId, entryIds: rows.map(({ id }) => id) });
      await tx.run(takeVotes, { optionIds: rows.map(({ optionId }) => optionId) });
      return { votes: rows.length };
    },
  }),
  walk('revisions', {
    ...large,
    table: 'revisions',
    since: 'revisions',
    rows: revisionsFrom,
    change: eraseRevisions,
  }),
  walk('texts', { ...large, table: 'entries', since: 'entries', rows: entriesFrom, change: eraseEntries }),
  // Older than the user, and changed since.
  walk('edited texts', { ...large, table: 'edited_entries', rows: editedFrom, change: eraseEntries }),
  walk('versions of files', {
    ...small,
    table: 'file_versions',
    top: 100,
    rows: versionsFrom,
    change: eraseVersions,
    isById: false,
  }),
  {
    name: 'pictures of apps',
    async run(tx, step) {
      const pictures = await erasePictures(tx, step, picturesPerStep);
      return { counts: {}, hasMore: pictures === picturesPerStep };
    },
  },
  walk('files', { ...small, table: 'files', top: 100, rows: filesFrom, change: eraseFiles }),
  {
    // What they repeat of the user's texts, and the notes that the user wrote about any.
    name: 'reports about the user',
    async run(tx, { person: { userId, heirId } }) {
      const top = rowsPerStep;
      const cleared = await tx.changed(clearNotes, { userId, top });
      const changed =
        heirId === null
          ? await tx.changed(clearSnapshots, { userId, top })
          : await tx.changed(giveReports, { userId, heirId, top });
      return { counts: {}, hasMore: changed === top || cleared === top };
    },
  },
  drain('embeds', deleteEmbeds, 'embeds'),
  drain('meetings', deleteMeetings, 'meetings'),
  {
    name: 'uploads',
    async run(tx, { person: { userId }, at }) {
      return { counts: { uploads: await tx.changed(expireUploads, { userId, at }) }, hasMore: false };
    },
  },
  {
    name: 'redactions',
    async run(tx, { person, at }) {
      const { hasMore, notifications, ...counts } = await redactItems(tx, at + 1, (payload) =>
        payloadWithout(payload, person),
      );
      return { counts: { ...counts, notifications_of_others: notifications }, hasMore };
    },
  },
  walk('events', { ...large, table: 'events', since: 'events', rows: eventsFrom, change: eventsWithout }),
  walk('notifications of others', {
    ...large,
    table: 'notifications',
    since: 'notifications',
    rows: notificationsFrom,
    change: notificationsWithout,
  }),
  drain('kept answers', ownedRows.kept_answers, 'kept_answers'),
  walk('kept answers of others', {
    ...large,
    table: 'kept_answers',
    since: 'keptAnswers',
    rows: answersFrom,
    change: answersWithout,
  }),
];

/** The texts by which something stored may be about a person; `jsonString` writes them as the store does. */
export function needlesOf({ userId, names }: Person): string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  // The id may be the last property of its object.
  const fieldIsPerson = (name: string) => [`"${name}":${userId},`, `"${name}":${userId}}`];
  return [
    `"id":${userId},"uid":`,
    ...['created_by_id', 'actor_id', 'resolved_by_id'].flatMap(fieldIsPerson),
    inJson(mentionTag(userId)),
    `(@u${userId})`,
    ...names.filter((name) => name.length > 1).map(inJson),
  ];
}

/** The newest id below one of the table of a walk; 0 where there is none. */
export async function lastIdOf(read: Read, { table }: Walk, below: number): Promise<number> {
  const row = await read.get(newestIds[table] as Query<{ below: number }, { id: number | null }>, { below });
  return row?.id ?? 0;
}
