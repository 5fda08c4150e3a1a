import { sql } from 'kysely';
import { moderatesByRole } from '../../access/access.sql.ts';
import { command, insertRow, query } from '../../db/statement.ts';
import { systemUserId } from '../users/users.sql.ts';

/** What a secret of a visitor does. */
type SecretKind = 'access' | 'renewal' | 'code';

/** Adds a secret of a visitor. */
export const insertVisitorSecret = insertRow('visitor_secrets', [
  'hash',
  'kind',
  'session',
  'user_id',
  'challenge',
  'created_at',
  'expires_at',
]);

/** A secret of a visitor, used or not. */
export const visitorSecret = query<{ hash: Uint8Array; kind: SecretKind }>()((q, value) =>
  q
    .selectFrom('visitor_secrets')
    .select(['session', 'user_id as userId', 'challenge', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where('hash', '=', value('hash'))
    .where('kind', '=', value('kind')),
);

/** Uses a secret, of which it is known until `expiresAt`: of two requests with the same one, one changes a row. */
export const useVisitorSecret = command<{ hash: Uint8Array; at: number; expiresAt: number }>()((q, value) =>
  q
    .updateTable('visitor_secrets')
    .set({ used_at: value('at'), expires_at: value('expiresAt') })
    .where('hash', '=', value('hash'))
    .where('used_at', 'is', null),
);

/** Ends a session of a visitor. */
export const deleteVisitorSession = command<{ userId: number; session: Uint8Array }>()((q, value) =>
  q
    .deleteFrom('visitor_secrets')
    .where('user_id', '=', value('userId'))
    .where('session', '=', value('session')),
);

/** Keeps the network from which a visitor has signed in, in place of the one before. */
export const noteVisitorAddress = command<{ userId: number; address: string; at: number }>()((q, value) =>
  q
    .insertInto('visitor_addresses')
    .values({ user_id: value('userId'), address: value('address'), used_at: value('at') })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ address: value('address'), used_at: value('at') }),
    ),
);

/** Notes that a puzzle was solved; changes no row when it was before. */
export const insertSolvedPuzzle = command<{ hash: Uint8Array; expiresAt: number }>()((q, value) =>
  q
    .insertInto('solved_puzzles')
    .values({ hash: value('hash'), expires_at: value('expiresAt') })
    .onConflict((conflict) => conflict.column('hash').doNothing()),
);

/**
 * Somebody other than one, whose name has a skeleton: a visitor who can still come back or has shown who they are, the
 * built-in user, or who moderates, in the apps of their directory or in apps that are open to visitors.
 */
export const userLike = query<{ skeleton: string; exceptId: number; now: number }>()((q, value) =>
  q
    .selectFrom('users')
    .select('users.id')
    .where('skeleton', '=', value('skeleton'))
    .where('users.skeleton', '<>', sql.lit(''))
    .where('users.id', '<>', value('exceptId'))
    .where('users.trashed_at', 'is', null)
    .where((where) =>
      where.or([
        where('users.way', '<>', 'guest'),
        where('users.role', '=', 'moderator'),
        where('users.id', '=', sql.lit(systemUserId)),
        where.exists(
          where
            .selectFrom('visitor_secrets')
            .select('hash')
            .whereRef('visitor_secrets.user_id', '=', 'users.id')
            .where('kind', '=', 'renewal')
            .where('used_at', 'is', null)
            .where('expires_at', '>', value('now')),
        ),
        where.exists(
          where
            .selectFrom('members')
            .innerJoin('apps', 'apps.id', 'members.app_id')
            .select('members.user_id')
            .whereRef('members.user_id', '=', 'users.id')
            .where('apps.visitors', 'is not', null)
            .where(moderatesByRole),
        ),
      ]),
    )
    .limit(sql.lit(1)),
);
