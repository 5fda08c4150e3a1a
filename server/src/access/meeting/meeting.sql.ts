import type { RowOf } from '../../db/statement.ts';

/** The columns of a meeting. */
export const meetingColumns = [
  'id',
  'provider',
  'provider_id as providerId',
  'uuid',
  'join_url as joinUrl',
  'shown_as as shownAs',
  'created_at as createdAt',
  'created_by_id as createdById',
  'ended_at as endedAt',
  'recording_url as recordingUrl',
] as const;

/** A meeting as stored. */
export type MeetingRow = RowOf<'meetings', typeof meetingColumns>;
