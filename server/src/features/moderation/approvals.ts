import type { ReadableApp } from '../../access/access.ts';
import { moderates } from '../../access/standing.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { addApproved, approvedCount, appThatHolds, insertWaiting } from './approvals.store.ts';

/**
 * Approvals are what apps ask for before others see what users write: of everything, of what newcomers or guests write, or
 * of what rules match, which `heldByRules` decides. Approved items are counted only in apps that ask for them by user, so
 * other apps pay nothing. Who is known on one page of a site is known on its others.
 */

/** The reason for which something that a user creates is held from the start; undefined where it is shown at once. */
export async function approvalFor(
  read: Pick<Read, 'get'>,
  { user }: Principal,
  app: ReadableApp,
): Promise<'approval' | undefined> {
  if (app.approval === null || app.approval === 'rules' || moderates(app)) return undefined;
  if (app.approval === 'everything') return 'approval';
  if (user.isTrusted) return undefined;
  if (app.approval === 'guests') return user.way === 'guest' ? 'approval' : undefined;
  const known = await read.get(approvedCount, { appId: app.id, userId: user.id });
  return (known?.count ?? 0) >= (app.approvalCount ?? 1) ? undefined : 'approval';
}

/** Counts something of a user that a moderator has approved, where it makes a newcomer or a guest known. */
export async function countApproved(tx: Tx, app: ReadableApp, userId: number): Promise<void> {
  if (app.approval === 'newcomers' || app.approval === 'guests')
    await tx.run(addApproved, { appId: app.id, userId });
}

/**
 * Notes that something of a visitor waits for the approval of an app: from then on `isReadByModerators` holds for what they
 * show of themselves.
 */
export async function noteWaiting(tx: Tx, app: ReadableApp, { id, way }: User): Promise<void> {
  if (way !== null) await tx.run(insertWaiting, { appId: app.id, userId: id });
}

/**
 * Whether the name and picture of a visitor are part of what moderators approve: something of theirs has waited for the
 * approval of an app that would hold the next as well.
 */
export async function isReadByModerators(read: Pick<Read, 'get'>, user: User): Promise<boolean> {
  const { id, isTrusted, way } = user;
  const facts = { userId: id, isTrusted: isTrusted ? 1 : 0, isGuest: way === 'guest' ? 1 : 0 };
  return (await read.get(appThatHolds, facts)) !== undefined;
}
