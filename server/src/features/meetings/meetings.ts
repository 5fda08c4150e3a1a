import { timestamp } from 'confab-contract/values/time.ts';
import type { MeetingRow } from '../../access/meeting/meeting.sql.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { meetingFields, shownProvider } from '../../second-form/shapes/meeting.ts';
import { meetingsByIds } from './meetings.store.ts';

/** Meetings are video meetings at a provider, to which entries invite. */

/** A meeting as clients see it. */
export function renderMeeting(meeting: MeetingRow, { form }: Pick<Principal, 'form'>): Json {
  const provider = form === undefined ? meeting.provider : shownProvider(meeting);
  const more = form === undefined ? '' : meetingFields(meeting);
  const ended = meeting.endedAt === null ? '' : `,"ended_at":"${timestamp(meeting.endedAt)}"`;
  const recording =
    meeting.recordingUrl === null ? '' : `,"recording_url":${jsonString(meeting.recordingUrl)}`;
  return json(
    `{"id":${meeting.id},"provider":${jsonString(provider)},"provider_id":${jsonString(meeting.providerId)},` +
      `"uuid":${jsonString(meeting.uuid)},"join_url":${jsonString(meeting.joinUrl)}${ended}${recording}${more}}`,
  );
}

/** Rendered meetings by id; one statement for any number of them, none for an empty list. */
export async function renderedMeetings(
  read: Read,
  caller: Pick<Principal, 'form'>,
  ids: readonly number[],
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(meetingsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderMeeting(row, caller)]));
}
