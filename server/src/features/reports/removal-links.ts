import { notFound, Problem } from 'confab-contract/problem.ts';
import { entryAccess, type ReadableEntry } from '../../access/entry/entry-access.ts';
import type { Moderatable } from '../../access/item-rights.ts';
import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { isSameSignature, signerFor } from '../../kernel/signatures.ts';
import { visibleText } from '../../kernel/unseen.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { contentOf } from '../entries/entry-json.ts';
import { holdEntry } from '../entries/hold.ts';
import { trashEntry } from '../entries/trash.ts';
import { lifeMs, moderatorOf } from './decision-links.ts';

/**
 * Signed addresses in mail about new comments, at which a moderator hides or removes one without signing in. Each is for one
 * moderator and one comment, while that is shown. They expire after a week.
 */

/** What a moderator does with a comment: both hide it, and a held one also waits for a decision. */
export type Removal = 'hold' | 'trash';

/** The parts of an address. */
export type RemovalLink = {
  readonly user: string;
  readonly comment: string;
  readonly until: string;
  readonly signature: string;
};

/** What is at an address: a comment that is shown, or that it is not shown any more, or that the address has expired. */
export type Removable =
  | {
      readonly state: 'shown';
      readonly on: Moderatable<ReadableEntry>;
      readonly caller: Principal;
      /** The text of the comment, and the name of its app, or else its uid. */
      readonly text: string;
      readonly place: string;
    }
  | { readonly state: 'gone' | 'expired' };

/** Makes and follows the addresses. */
export type RemovalLinks = ReturnType<typeof createRemovalLinks>;

const comments = entryAccess('comment');

/** Addresses signed with `secret`, below the public address of this server. */
export function createRemovalLinks({
  db,
  clock,
  secret,
  publicUrl,
  links,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secret: string;
  readonly publicUrl: () => string;
  readonly links: BlobLinks;
}) {
  const sign = signerFor(secret, 'remove');

  /** Finds the comment. Throws `not_found` for an address that this server did not make, or for who moderates no more. */
  async function find(read: Read, { user, comment, until, signature }: RemovalLink): Promise<Removable> {
    if (!isSameSignature(signature, sign([user, comment, until]))) throw notFound('page');
    if (Number(until) <= clock.now()) return { state: 'expired' };
    const caller = await moderatorOf(read, user);
    try {
      const lookup = { read, caller, ref: { id: Number(comment) }, isTrashedIncluded: true };
      const on = await comments.moderate(lookup);
      if (on.entry.trashedAt !== null) return { state: 'gone' };
      const { plain: text = '' } = contentOf(on.entry.content);
      return { state: 'shown', on, caller, text, place: visibleText(on.app.name) ?? on.app.uid };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // A deleted comment and one that its moderator may not see any more are told from nothing else.
      if (error.code === 'not_found' || error.code === 'moderate_forbidden') throw notFound('page');
      throw error;
    }
  }

  return {
    /** The address at which a moderator hides or removes a comment. */
    toComment(userId: number, commentId: number) {
      const parts = [userId, commentId, clock.now() + lifeMs].map(String);
      return `${publicUrl()}/decide/${[...parts, sign(parts)].join('/')}`;
    },

    /** What is at an address; changes nothing. Throws `not_found`. */
    look: async (link: RemovalLink): Promise<Removable> => await find(db.read, link),

    /** Hides or removes the comment of an address; returns what was found there. Throws `not_found`. */
    async remove(link: RemovalLink, removal: Removal): Promise<Removable> {
      return await db.write(async (tx) => {
        const found = await find(tx, link);
        if (found.state !== 'shown') return found;
        const move = { tx, caller: found.caller, at: clock.now(), on: found.on };
        await (removal === 'hold' ? holdEntry : trashEntry)(move, { links });
        return found;
      });
    },
  };
}
