import { notFound } from 'confab-contract/problem.ts';
import type { Read } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { idOf, isOwnedBy, type Lookup } from '../lookup.ts';
import type { MeetingRow } from './meeting.sql.ts';
import { meetingById } from './meeting-access.store.ts';

declare const readable: unique symbol;

/**
 * A meeting that the caller may see by its id and put into an entry: their own, or any with an API key. The meetings of
 * others are visible inside the entries that use them.
 */
export type ReadableMeeting = { readonly meeting: MeetingRow; readonly [readable]: true };

/** The meeting with an id, if the caller may see it by its id. */
export async function findMeeting(
  read: Pick<Read, 'get'>,
  caller: Principal,
  id: number,
): Promise<ReadableMeeting | undefined> {
  const meeting = await read.get(meetingById, { id });
  return meeting !== undefined && isOwnedBy(caller, meeting) ? ({ meeting } as ReadableMeeting) : undefined;
}

/** The right on meetings; it throws `not_found`. */
export const meetingAccess = {
  async read({ read, caller, ref }: Lookup): Promise<ReadableMeeting> {
    const meeting = await findMeeting(read, caller, idOf(ref));
    if (meeting === undefined) throw notFound('meeting');
    return meeting;
  },
};
