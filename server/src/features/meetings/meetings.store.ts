import { sql } from 'kysely';
import { meetingColumns } from '../../access/meeting/meeting.sql.ts';
import { anyOf } from '../../db/dialect.ts';
import { insertRow, query } from '../../db/statement.ts';

/** Adds a meeting. */
export const insertMeeting = insertRow('meetings', [
  'provider',
  'provider_id',
  'uuid',
  'join_url',
  'shown_as',
  'created_at',
  'created_by_id',
]);

/** Some meetings. */
export const meetingsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('meetings')
    .select(meetingColumns)
    .where(anyOf(sql.ref('id'), value('ids'))),
);
