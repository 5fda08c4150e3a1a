import { timestamp } from 'confab-contract/values/time.ts';
import type { MeetingRow } from '../../access/meeting/meeting.sql.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { meetingsByIds } from './meetings.store.ts';

/** Meetings are video meetings at a provider, to which entries invite. */

/** A meeting as clients see it. */
export function renderMeeting(meeting: MeetingRow): Json {
  const ended = meeting.endedAt === null ? '' : `,"ended_at":"${timestamp(meeting.endedAt)}"`;
  const recording =
    meeting.recordingUrl === null ? '' : `,"recording_url":${jsonString(meeting.recordingUrl)}`;
  return json(
    `{"id":${meeting.id},"provider":${jsonString(meeting.provider)},"provider_id":${jsonString(meeting.providerId)},` +
      `"uuid":${jsonString(meeting.uuid)},"join_url":${jsonString(meeting.joinUrl)}${ended}${recording}}`,
  );
}

/** Rendered meetings by id; one statement for any number of them, none for an empty list. */
export async function renderedMeetings(read: Read, ids: readonly number[]): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(meetingsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderMeeting(row)]));
}
