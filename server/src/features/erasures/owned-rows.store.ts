import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { type Command, command, query } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** Rows that belong to one user and go with the user, whatever they say. */

type Owned = { userId: number; top: number };

/** Deletes the first rows of a table whose `column` is the user. The columns of `key` tell its rows apart. */
function deleteOwned<T extends keyof Tables>(
  table: T,
  column: keyof Tables[T] & string,
  key: readonly (keyof Tables[T] & string)[],
): Command<Owned, unknown> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  return command<Owned>()((q, value) =>
    q.deleteFrom(table as 'stars').where(
      sql<boolean>`(${names}) in (select ${names} from ${sql.table(table)}
          where ${sql.ref(column)} = ${value('userId')} limit ${rowCount(value('top'))})`,
    ),
  );
}

/** The statement for each table. */
export const ownedRows = {
  agents: deleteOwned('agents', 'user_id', ['user_id']),
  agent_questions: deleteOwned('agent_questions', 'author_id', ['message_id']),
  approved_counts: deleteOwned('approved_counts', 'user_id', ['app_id', 'user_id']),
  mail_states: deleteOwned('mail_states', 'user_id', ['user_id']),
  members: deleteOwned('members', 'user_id', ['app_id', 'user_id']),
  recent_texts: deleteOwned('recent_texts', 'user_id', ['id']),
  complaints: deleteOwned('complaints', 'user_id', ['id']),
  stars: deleteOwned('stars', 'user_id', ['user_id', 'app_id']),
  follows: deleteOwned('follows', 'user_id', ['user_id', 'followed_id']),
  followers: deleteOwned('follows', 'followed_id', ['user_id', 'followed_id']),
  subscriptions: deleteOwned('subscriptions', 'user_id', ['entity_type', 'entity_id', 'user_id']),
  presence: deleteOwned('presence', 'user_id', ['node_id', 'user_id']),
  kept_answers: deleteOwned('kept_answers', 'user_id', ['id']),
};

type Given = Owned & { heirId: number };

/** Gives the first rows of a table to another user, who has none with the same value of `apart` so far. */
function giveOwned<T extends keyof Tables>(
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  apart: keyof Tables[T] & string,
): Command<Given, unknown> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  return command<Given>()((q, value) =>
    q
      .updateTable(table as 'stars')
      .set({ user_id: value('heirId') })
      .where(
        sql<boolean>`(${names}) in (select ${names} from ${sql.table(table)} as mine
          where mine.user_id = ${value('userId')} and not exists (select 1 from ${sql.table(table)} as theirs
            where theirs.user_id = ${value('heirId')} and theirs.${sql.ref(apart)} = mine.${sql.ref(apart)})
          limit ${rowCount(value('top'))})`,
      ),
  );
}

/** The statement for each table of which an heir gets the rows. */
export const givenRows = {
  approved_counts: giveOwned('approved_counts', ['app_id', 'user_id'], 'app_id'),
  complaints: giveOwned('complaints', ['id'], 'report_id'),
  recent_texts: giveOwned('recent_texts', ['id'], 'id'),
};

/** Makes another user the author in the first reports about a user. */
export const giveReports = command<Given>()((q, value) =>
  q
    .updateTable('reports')
    .set({ author_id: value('heirId') })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('reports as about')
        .select('about.id')
        .where('about.author_id', '=', value('userId'))
        .limit(rowCount(value('top'))),
    ),
);

/** Those of some entries to which a user has reacted. */
export const reactedEntries = query<{ userId: number; entryIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select('entry_id as entryId')
    .where('created_by_id', '=', value('userId'))
    .where(anyOf(sql.ref('entry_id'), value('entryIds'))),
);

/** Makes some reactions those of another user. */
export const giveReactions = command<{ ids: readonly number[]; heirId: number }>()((q, value) =>
  q
    .updateTable('reactions')
    .set({ created_by_id: value('heirId') })
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Deletes the first embeds of a user that no entry shows. */
export const deleteEmbeds = command<Owned>()((q, value) =>
  q.deleteFrom('embeds').where('id', 'in', (sub) =>
    sub
      .selectFrom('embeds as made')
      .select('made.id')
      .where('made.created_by_id', '=', value('userId'))
      .where(sql<boolean>`not exists (select 1 from entries where entries.embed_id = made.id)`)
      .limit(rowCount(value('top'))),
  ),
);

/** Deletes the first meetings of a user to which no entry invites. */
export const deleteMeetings = command<Owned>()((q, value) =>
  q.deleteFrom('meetings').where('id', 'in', (sub) =>
    sub
      .selectFrom('meetings as made')
      .select('made.id')
      .where('made.created_by_id', '=', value('userId'))
      .where(sql<boolean>`not exists (select 1 from entries where entries.meeting_id = made.id)`)
      .limit(rowCount(value('top'))),
  ),
);

/** The first apps whose picture a user uploaded. */
export const picturedApps = query<Owned>()((q, value) =>
  q
    .selectFrom('apps')
    .innerJoin('blobs', 'blobs.id', 'apps.picture_id')
    .select(['apps.id', 'apps.picture_id as pictureId'])
    // Also the condition of the index.
    .where('apps.picture_id', 'is not', null)
    .where('blobs.created_by_id', '=', value('userId'))
    .orderBy('apps.id')
    .limit(rowCount(value('top'))),
);

/** Takes the picture from some apps. */
export const clearPictures = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .updateTable('apps')
    .set({ picture_id: null, picture_url: null })
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Ends the life of the uploads of a user that nothing uses. */
export const expireUploads = command<{ userId: number; at: number }>()((q, value) =>
  q
    .updateTable('blobs')
    .set({ expires_at: value('at') })
    .where('created_by_id', '=', value('userId'))
    .where('expires_at', '>', value('at')),
);

/** The first blobs of a user that nothing uses. */
export const expiredBlobsOf = query<{ userId: number; at: number; top: number }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select(['id', 'key'])
    .where('created_by_id', '=', value('userId'))
    .where('expires_at', '<=', value('at'))
    .limit(rowCount(value('top'))),
);

/** Takes one from the number of reactions of some entries. */
export const takeReactions = command<{ entryIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('entries')
    .set({ reaction_count: sql`reaction_count - 1` })
    .where(anyOf(sql.ref('id'), value('entryIds'))),
);

/** Deletes some reactions. */
export const deleteReactions = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('reactions').where(anyOf(sql.ref('id'), value('ids'))),
);

/** Takes one from the number of votes of some options. */
export const takeVotes = command<{ optionIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('options')
    .set({ vote_count: sql`vote_count - 1` })
    .where(anyOf(sql.ref('id'), value('optionIds'))),
);

/** Deletes the votes of a user in some polls. */
export const deleteVotes = command<{ userId: number; entryIds: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('votes')
    .where('user_id', '=', value('userId'))
    .where(anyOf(sql.ref('entry_id'), value('entryIds'))),
);

/** Removes the notes that a user wrote about the first reports that they resolved. */
export const clearNotes = command<Owned>()((q, value) =>
  q
    .updateTable('reports')
    .set({ note: null })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('reports as decided')
        .select('decided.id')
        .where('decided.resolved_by_id', '=', value('userId'))
        .where('decided.note', 'is not', null)
        .limit(rowCount(value('top'))),
    ),
);

/** Removes what the first reports about a user repeat of the user's texts. */
export const clearSnapshots = command<Owned>()((q, value) =>
  q
    .updateTable('reports')
    .set({ snapshot: null })
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('reports as about')
        .select('about.id')
        .where('about.author_id', '=', value('userId'))
        .where('about.snapshot', 'is not', null)
        .limit(rowCount(value('top'))),
    ),
);
