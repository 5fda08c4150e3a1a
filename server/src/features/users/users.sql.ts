import { type Expression, type SqlBool, sql } from 'kysely';
import { matchesTag } from '../../db/filters.ts';
import type { PeopleSetting, Principal } from '../../kernel/principal.ts';

/** The built-in user, who owns what API keys create. Its row comes with the schema. */
export const systemUserId = 1;

// Which users see each other, the one rule of decision 0035: a user sees the users of the same directory
// (without a directory, the other users without one) and the users of a shared app that an API key created.
// Every operation treats all other users as ids that do not exist. The readers of an app always see its
// members.

/** Which users a caller sees: every user, or those that the setting shows to users. */
export type UserVisibility = 'every' | PeopleSetting;

/** Every `UserVisibility`. */
export const userVisibilities = ['every', 'all', 'shared'] as const satisfies readonly UserVisibility[];

/** The users that a caller sees; an API key sees every user. */
export function visibilityFor({ kind }: Pick<Principal, 'kind'>, setting: PeopleSetting): UserVisibility {
  return kind === 'key' ? 'every' : setting;
}

/** The user to whom a statement shows users; the directory is 0 for a user without one. */
type Viewer = { readonly userId: unknown; readonly directoryId: unknown };

const sharedApps = (viewer: Pick<Viewer, 'userId'>) => sql`members as theirs
  join members as mine on mine.app_id = theirs.app_id and mine.user_id = ${viewer.userId} and mine.access <> 'none'
  join apps as common on common.id = theirs.app_id and common.trashed_at is null and common.deleted_at is null
  where theirs.access <> 'none'`;

/** The rule for a row of `users`. The system user is never visible, nor are suspended or trashed users to other users. */
export function isVisible(visibility: UserVisibility, viewer: Viewer): Expression<SqlBool> {
  if (visibility === 'every') return sql<SqlBool>`users.id <> ${sql.lit(systemUserId)}`;
  const shares = sql`select 1 from ${sharedApps(viewer)} and theirs.user_id = users.id`;
  const isColleague = sql`coalesce(users.directory_id, 0) = ${viewer.directoryId}`;
  const isNear = visibility === 'shared' ? sql`(${isColleague} and exists (${shares}))` : isColleague;
  return sql<SqlBool>`(users.id <> ${sql.lit(systemUserId)}
    and users.suspended_at is null and users.trashed_at is null
    and (users.id = ${viewer.userId} or ${isNear} or exists (${shares} and common.by_key = 1)))`;
}

/**
 * The rule for the card of a user: whom `isVisible` shows, and the other members of an app of the viewer, whom its readers
 * see there anyway.
 */
export function isKnown(visibility: UserVisibility, viewer: Viewer): Expression<SqlBool> {
  const shares = sql`exists (select 1 from ${sharedApps(viewer)} and theirs.user_id = users.id)`;
  return sql<SqlBool>`(${isVisible(visibility, viewer)} or (users.id <> ${sql.lit(systemUserId)}
    and users.suspended_at is null and users.trashed_at is null and ${shares}))`;
}

/** True for a row of `users` that is the viewer or shares an app with the viewer; for lists, in one subquery. */
export function sharesApp(viewer: Pick<Viewer, 'userId'>): Expression<SqlBool> {
  return sql<SqlBool>`(users.id = ${viewer.userId}
    or users.id in (select theirs.user_id from ${sharedApps(viewer)}))`;
}

/**
 * The index that a list of users searches: API keys search all names and addresses, users only the visible
 * fields.
 */
export function searchIndexFor(visibility: UserVisibility): 'user' | 'public_user' {
  return visibility === 'every' ? 'user' : 'public_user';
}

/** The row of `users` has a tag; tags are shown to API keys and to the user who has them, so others do not match. */
export function isTaggedFor(
  visibility: UserVisibility,
  viewerId: unknown,
  tag: Parameters<typeof matchesTag>[2],
): Expression<SqlBool> {
  const isTheirs = matchesTag(sql.ref('users.id'), 'user', tag);
  return visibility === 'every' ? isTheirs : sql<SqlBool>`(users.id = ${viewerId} and ${isTheirs})`;
}
