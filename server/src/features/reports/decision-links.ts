import { notFound, Problem } from 'confab-contract/problem.ts';
import { type ModeratedReport, reportAccess } from '../../access/report/report-access.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { callerKindOf, type Principal } from '../../kernel/principal.ts';
import { isSameSignature, signerFor } from '../../kernel/signatures.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { heldSince } from './decision-links.store.ts';
import { resolve } from './resolve.ts';

/**
 * Signed addresses in mail, at which a moderator decides about something that is held without signing in. Each is for one
 * moderator, one item and the time at which it was held, so that it works once: after a decision, what it is about does not
 * wait any more. They expire after a week.
 */

/** How long an address in mail works, in milliseconds. */
export const lifeMs = 7 * 24 * 3_600_000;

/** What a moderator decides. */
export type Decision = 'approve' | 'refuse';

/** The parts of an address. */
export type DecisionLink = {
  readonly user: string;
  readonly report: string;
  readonly held: string;
  readonly until: string;
  readonly signature: string;
};

/** What waits at an address: the report, or that it was decided, or that the address has expired. */
export type Waiting =
  | { readonly state: 'waiting'; readonly report: ModeratedReport; readonly caller: Principal }
  | { readonly state: 'decided' | 'expired' };

/** Makes and follows the addresses of decisions. */
export type DecisionLinks = ReturnType<typeof createDecisionLinks>;

/** The user for whom an address was made, as a caller; throws `not_found` for one who may not act. */
export async function moderatorOf(read: Read, userId: string): Promise<Principal> {
  const user = await findUser(read, { id: Number(userId) });
  if (user === undefined || user.suspendedAt !== null || user.trashedAt !== null) throw notFound('page');
  return { kind: callerKindOf(user), user };
}

/** Addresses signed with `secret`, below the public address of this server. */
export function createDecisionLinks({
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
  const sign = signerFor(secret, 'decide');

  /** Finds what waits. Throws `not_found` for an address that this server did not make, or for who moderates no more. */
  async function find(read: Read, link: DecisionLink): Promise<Waiting> {
    const { user: userId, report: reportId, held, until, signature } = link;
    if (!isSameSignature(signature, sign([userId, reportId, held, until]))) throw notFound('page');
    if (Number(until) <= clock.now()) return { state: 'expired' };
    const caller = await moderatorOf(read, userId);
    const lookup = { read, caller, ref: { id: Number(reportId) }, isTrashedIncluded: false };
    const report = await reportAccess.moderate(lookup).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'not_found' ? notFound('page') : error;
    });
    const since = await read.get(heldSince, { type: report.entityType, id: report.entityId });
    const isWaiting = report.isOpen === 1 && report.held !== null && since?.at === Number(held);
    return isWaiting ? { state: 'waiting', report, caller } : { state: 'decided' };
  }

  return {
    /** The address at which a moderator decides about the item of a report, held since `heldAt`. */
    toReport(userId: number, { reportId, heldAt }: { readonly reportId: number; readonly heldAt: number }) {
      const parts = [userId, reportId, heldAt, clock.now() + lifeMs].map(String);
      return `${publicUrl()}/decide/${[...parts, sign(parts)].join('/')}`;
    },

    /** What waits at an address; changes nothing. Throws `not_found`. */
    look: async (link: DecisionLink): Promise<Waiting> => await find(db.read, link),

    /** Approves or refuses what waits at an address, once; returns what was found there. Throws `not_found`. */
    async decide(link: DecisionLink, decision: Decision): Promise<Waiting> {
      return await db.write(async (tx) => {
        const waiting = await find(tx, link);
        if (waiting.state !== 'waiting') return waiting;
        const { report: on, caller } = waiting;
        const body = { action: decision === 'approve' ? 'keep' : 'trash' } as const;
        await resolve({ tx, caller, at: clock.now(), on, body }, { links });
        return waiting;
      });
    },
  };
}
