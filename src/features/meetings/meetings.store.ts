import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';
import { meetingColumns } from '../access/meeting.sql.ts';

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

/** Some meetings. */
export const meetingsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('meetings')
    .select(meetingColumns)
    .where(anyOf(sql.ref('id'), value('ids'))),
);
