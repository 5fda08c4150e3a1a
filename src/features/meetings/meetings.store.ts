import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

/** A meeting as stored. */
export type MeetingRow = {
  readonly id: number;
  readonly provider: string;
  readonly providerId: string;
  readonly uuid: string;
  readonly joinUrl: string;
  readonly createdById: number;
  readonly endedAt: number | null;
  readonly recordingUrl: string | null;
};

const meetingColumns = [
  'id',
  'provider',
  'provider_id as providerId',
  'uuid',
  'join_url as joinUrl',
  'created_by_id as createdById',
  'ended_at as endedAt',
  'recording_url as recordingUrl',
] as const;

/** Adds a meeting. */
export const insertMeeting = command<{
  provider: string;
  providerId: string;
  uuid: string;
  joinUrl: string;
  at: number;
  userId: number;
}>()((q, value) =>
  q.insertInto('meetings').values({
    provider: value('provider'),
    provider_id: value('providerId'),
    uuid: value('uuid'),
    join_url: value('joinUrl'),
    created_at: value('at'),
    created_by_id: value('userId'),
  }),
);

/** One meeting. */
export const meetingById = query<{ id: number }>()((q, value) =>
  q.selectFrom('meetings').select(meetingColumns).where('id', '=', value('id')),
);

/** Some meetings. */
export const meetingsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('meetings')
    .select(meetingColumns)
    .where(anyOf(sql.ref('id'), value('ids'))),
);
