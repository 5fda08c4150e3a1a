import { type Expression, type SqlBool, sql } from 'kysely';
import { isTagged } from '../../db/filters.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';

/** The built-in user that owns what is made with an API key. Its row is made with the schema. */
export const systemUserId = 1;

// Who sees whom, the one rule of decision 0035: a user sees and acts on the people of the same directory, or of none like
// the user, and people with whom the user shares an app that an API key made. Everybody else is absent: every door gives
// them the answer of an id that does not exist. Inside an app its members are shown to its readers in any case.

/** How far a caller sees: everybody, or what the setting gives to users. */
export type Sight = 'every' | PeopleSetting;

/** How far a caller sees: an API key sees everybody. */
export function sightOf({ kind }: Pick<Principal, 'kind'>, setting: PeopleSetting): Sight {
  return kind === 'key' ? 'every' : setting;
}

/** Whose eyes a statement sees people with; the directory is 0 for a user without one. */
type Onlooker = { readonly userId: unknown; readonly directoryId: unknown };

const sharedApps = (viewer: Pick<Onlooker, 'userId'>) => sql`members as theirs
  join members as mine on mine.app_id = theirs.app_id and mine.user_id = ${viewer.userId} and mine.access <> 'none'
  join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null
  where theirs.access <> 'none'`;

/** The rule for the row of `users`: false for the system user, and to users also for who is suspended or in the trash. */
export function isSeen(sight: Sight, viewer: Onlooker): Expression<SqlBool> {
  if (sight === 'every') return sql<SqlBool>`users.id <> ${sql.lit(systemUserId)}`;
  const shares = sql`select 1 from ${sharedApps(viewer)} and theirs.user_id = users.id`;
  const isColleague = sql`coalesce(users.directory_id, 0) = ${viewer.directoryId}`;
  const isNear = sight === 'shared' ? sql`(${isColleague} and exists (${shares}))` : isColleague;
  return sql<SqlBool>`(users.id <> ${sql.lit(systemUserId)}
    and users.suspended_at is null and users.trashed_at is null
    and (users.id = ${viewer.userId} or ${isNear} or exists (${shares} and common.by_key = 1)))`;
}

/** The row of `users` is the viewer or shares an app with them; for lists, which read who does in one go. */
export function sharesApp(viewer: Pick<Onlooker, 'userId'>): Expression<SqlBool> {
  return sql<SqlBool>`(users.id = ${viewer.userId}
    or users.id in (select theirs.user_id from ${sharedApps(viewer)}))`;
}

/** The index in which a list of people looks for words: an API key finds by everything, a user by what they are shown. */
export function wordsFor(sight: Sight): 'user' | 'public_user' {
  return sight === 'every' ? 'user' : 'public_user';
}

/** The row of `users` has a tag; tags are shown to API keys and to the user who has them, so others do not match. */
export function hasTag(
  sight: Sight,
  viewerId: unknown,
  tag: Parameters<typeof isTagged>[2],
): Expression<SqlBool> {
  const isTheirs = isTagged(sql.ref('users.id'), 'user', tag);
  return sight === 'every' ? isTheirs : sql<SqlBool>`(users.id = ${viewerId} and ${isTheirs})`;
}
