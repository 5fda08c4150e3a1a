import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { matchesSearch } from '../../db/filters.ts';
import { type Bind, type Builder, cachedByShape, query } from '../../db/statement.ts';
import { searchIndexFor, sharesApp, systemUserId, type UserVisibility } from './users.sql.ts';

/** Which users are found: those of every directory, of one, or those without one. */
export type AutocompleteShape = {
  readonly directories: 'every' | 'one' | 'none';
  readonly hasApp: boolean;
  readonly hasQuestion: boolean;
  /** Which users the caller sees. */
  readonly visibility: UserVisibility;
};

type AutocompleteParameters = {
  userId: number;
  directoryId: number;
  appId: number;
  question: readonly string[];
  top: number;
  skip: number;
};

function candidates(q: Builder, value: Bind<AutocompleteParameters>, shape: AutocompleteShape) {
  return q
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '<>', systemUserId)
    .where('users.suspended_at', 'is', null)
    .where('users.trashed_at', 'is', null)
    .$if(shape.hasQuestion, (part) =>
      part.where(matchesSearch(sql.ref('users.id'), searchIndexFor(shape.visibility), value('question'))),
    );
}

// Both halves are in the order of ids, from the index of a directory and from the key of the members, and are merged
// while they are read, so a page without search words reads no more than it shows.
function matchingUsers(q: Builder, value: Bind<AutocompleteParameters>, shape: AutocompleteShape) {
  const own = candidates(q, value, shape)
    .$if(shape.directories === 'one', (part) => part.where('users.directory_id', '=', value('directoryId')))
    .$if(shape.directories === 'none', (part) => part.where('users.directory_id', 'is', null))
    .$if(shape.visibility === 'shared', (part) => part.where(sharesApp({ userId: value('userId') })));
  if (!shape.hasApp || shape.directories === 'every') return own;
  return own.union(
    candidates(q, value, shape)
      .innerJoin('members as sharing', 'sharing.user_id', 'users.id')
      .where('sharing.app_id', '=', value('appId')),
  );
}

/** A page of the users who can be mentioned, each with the membership in the app; by the JSON text of a shape. */
export const listCandidates = cachedByShape((key: string) => {
  const shape = JSON.parse(key) as AutocompleteShape;
  return query<AutocompleteParameters>()((q, value) =>
    q
      .with('found', () =>
        matchingUsers(q, value, shape)
          .orderBy('id')
          .limit(rowCount(value('top')))
          .offset(rowCount(value('skip'))),
      )
      .selectFrom('found')
      .innerJoin('users', 'users.id', 'found.id')
      .leftJoin('members', (join) =>
        join.onRef('members.user_id', '=', 'users.id').on('members.app_id', '=', value('appId')),
      )
      .select([
        'users.id',
        'users.uid',
        'users.display_name as displayName',
        'users.picture_url as pictureUrl',
        'users.directory_id as directoryId',
        'users.is_active as isActive',
        'members.access as memberAccess',
        'members.role as memberRole',
      ])
      .orderBy('users.id'),
  );
});

/** How many users `listCandidates` finds on all pages. */
export const countCandidates = cachedByShape((key: string) => {
  const shape = JSON.parse(key) as AutocompleteShape;
  return query<AutocompleteParameters>()((q, value) =>
    q.selectFrom(matchingUsers(q, value, shape).as('found')).select(sql<number>`count(*)`.as('count')),
  );
});
