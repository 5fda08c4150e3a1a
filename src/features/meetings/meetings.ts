import type { MeetingCreate, MeetingProvider as MeetingProviderName } from '../../contract/meetings.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { actorOf } from '../users/user-json.ts';
import type { MeetingProvider } from './meeting-provider.ts';
import { insertMeeting, type MeetingRow, meetingById, meetingsByIds } from './meetings.store.ts';

function renderMeeting(meeting: MeetingRow): Json {
  const ended = meeting.endedAt === null ? '' : `,"ended_at":"${timestamp(meeting.endedAt)}"`;
  const recording =
    meeting.recordingUrl === null ? '' : `,"recording_url":${jsonString(meeting.recordingUrl)}`;
  return json(
    `{"id":${meeting.id},"provider":${jsonString(meeting.provider)},"provider_id":${jsonString(meeting.providerId)},` +
      `"uuid":${jsonString(meeting.uuid)},"join_url":${jsonString(meeting.joinUrl)}${ended}${recording}}`,
  );
}

/** The meetings with these ids, rendered, by id. One statement for any number of them, none for none. */
export async function renderedMeetings(read: Read, ids: readonly number[]): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(meetingsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderMeeting(row)]));
}

/** Whether the caller may put the meeting into something: their own, or any with an API key. */
export async function mayUseMeeting(read: Read | Tx, principal: Principal, id: number): Promise<boolean> {
  const meeting = await read.get(meetingById, { id });
  return meeting !== undefined && isOwn(principal, meeting);
}

function isOwn(principal: Principal, meeting: MeetingRow): boolean {
  return principal.kind === 'key' || meeting.createdById === principal.user.id;
}

/** What the meetings feature does; see the operations of the same names. */
export type Meetings = ReturnType<typeof createMeetings>;

/** The meetings feature: video meetings at a provider, for comments that invite to them. */
export function createMeetings({
  db,
  clock,
  providers,
}: {
  db: Db;
  clock: Clock;
  /** The providers that this server has; another one is refused. */
  providers: { readonly [name in MeetingProviderName]?: MeetingProvider };
}) {
  function readProvider(name: MeetingProviderName): { name: string; make: MeetingProvider } {
    const make = providers[name];
    if (make !== undefined) return { name, make };
    const known = Object.keys(providers).join(', ');
    throw invalidField('/provider', 'not_configured', `is not set up on this server, which has ${known}`);
  }

  return {
    async createMeeting(principal: Principal, input: Input<MeetingCreate>): Promise<Json> {
      const { name, make } = input.read({ provider: readProvider }).valid().provider;
      const made = await make();
      return await db.write(async (tx) => {
        const at = clock.now();
        const userId = principal.user.id;
        const row = { ...made, provider: name };
        const id = await tx.insert(insertMeeting, { ...row, at, userId });
        const meeting = renderMeeting({ ...row, id, createdById: userId, endedAt: null, recordingUrl: null });
        await append(tx, {
          action: 'meeting_created',
          actor: actorOf(principal.user),
          appId: null,
          userId,
          entity: { id, json: meeting },
          at,
        });
        return meeting;
      });
    },

    /** The meetings of others are seen where they are used, by those who see that. */
    async getMeeting(principal: Principal, id: number): Promise<Json> {
      const meeting = await db.read.get(meetingById, { id });
      if (meeting === undefined || !isOwn(principal, meeting)) throw notFound('meeting');
      return renderMeeting(meeting);
    },
  };
}
