import { notFound, Problem } from 'confab-contract/problem.ts';
import type { ReadableApp } from '../../access/access.ts';
import type { Call, DeclaredOperation } from '../../binding/handler.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { Bans } from '../../kernel/bans.ts';
import type { Clock } from '../../kernel/clock.ts';
import { blankUser, type User, unstoredId } from '../../kernel/principal.ts';
import { addressId, type RateLimits, rateLimited } from '../../kernel/rate-limits.ts';
import { readName } from '../visitors/visitor-names.ts';
import { keepAddress } from '../visitors/visitor-sessions.ts';
import { makeVisitor, visitorUid } from '../visitors/visitors.ts';
import type { SignIn } from '../visitors/ways.ts';
import { appOfPage } from './pages.ts';

/**
 * The form of a page, with which a guest writes without script. A browser without script solves no puzzle, so the form is
 * there where none is asked for, and where an app holds what guests write until a moderator has seen it.
 */

/** A comment that a form has sent. */
export type FormComment = {
  readonly uid: string;
  /** The guest as the checks before the transaction see them. */
  readonly user: User;
  /** Creates the guest in the transaction that creates the comment, so that a refused comment leaves nobody behind. */
  readonly introduce: (tx: Tx) => Promise<User>;
  readonly text: string;
  readonly request: Call<DeclaredOperation>['raw'];
};

/** The parts of the server that the form needs. */
export type FormParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly bans: Bans;
  readonly signIn: SignIn;
  /** Creates a comment of a visitor in the app with a uid, as the operation does; `request` is that of the form. */
  readonly write: (comment: FormComment) => Promise<unknown>;
};

/** What a guest has sent. */
export type FormFields = { readonly name: string; readonly text: string };

/** The approvals that hold everything that a guest writes first. */
const holding: ReadonlySet<string | null> = new Set(['everything', 'newcomers', 'guests']);

/** Creates the part that says where there is a form, and takes what it sends. */
export function createPageForm({ db, clock, rateLimits, bans, signIn, write }: FormParts) {
  function isFor(app: ReadableApp): boolean {
    if (!signIn.site().sign_in.includes('guest')) return false;
    const isHeld = holding.has(app.approval);
    const mayWrite = app.visitors === 'write' && app.access === 'write' && app.lockedAt === null;
    return mayWrite && app.type === 'comments' && (signIn.puzzles() === undefined || isHeld);
  }

  return {
    /** Whether guests write on the page of an app. */
    isFor,

    /**
     * Creates a comment of a new guest. Throws `not_found` where there is no form, `address_banned`, `rate_limited`, and what
     * creating a comment throws.
     */
    async take(
      uid: string,
      { name: visitorName, text }: FormFields,
      request: FormComment['request'],
    ): Promise<void> {
      const { clientAddress } = request;
      await bans.assertFree(clientAddress);
      const usage =
        clientAddress === undefined
          ? undefined
          : await rateLimits.take('address', addressId(clientAddress), 'signin');
      if (usage?.isRefused === true) throw rateLimited(usage);
      if (!isFor(await appOfPage(db.read, uid))) throw notFound('page');
      if (text.trim() === '') throw new Problem('validation_failed', 'The comment is empty.');
      const name = await signIn.names.screen(readName(visitorName));
      const at = clock.now();
      const guestUid = visitorUid();
      const user = { ...blankUser(guestUid, at), id: unstoredId, name, displayName: name, way: 'guest' };
      const introduce = async (tx: Tx) => {
        await signIn.names.assertFree(tx, name, { exceptId: 0, at });
        const guest = await makeVisitor({ tx, at }, { name, email: null, way: 'guest', uid: guestUid });
        await keepAddress({ tx, at, address: clientAddress }, guest);
        return guest;
      };
      await write({ uid, user, introduce, text, request });
    },
  };
}
