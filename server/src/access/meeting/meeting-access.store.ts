import { query } from '../../db/statement.ts';
import { meetingColumns } from './meeting.sql.ts';

/** One meeting. */
export const meetingById = query<{ id: number }>()((q, value) =>
  q.selectFrom('meetings').select(meetingColumns).where('id', '=', value('id')),
);
