import { meetingOperations } from 'confab-contract/meetings.ts';
import { handler } from '../../binding/handler.ts';
import { renderMeeting } from './meetings.ts';

/** A meeting of the caller by its id. */
export const getMeeting = handler(meetingOperations.getMeeting, async ({ on, caller }) =>
  renderMeeting(on.meeting, caller),
);
