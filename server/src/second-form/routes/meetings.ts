import { notFound } from 'confab-contract/problem.ts';
import { secondFormMeetingOperations } from 'confab-contract/second-form/meetings.ts';
import { handler } from '../../binding/handler.ts';
import { keepMeeting, type MeetingParts, readProvider } from '../../features/meetings/create.ts';
import { shownProviders } from '../shapes/meeting.ts';

/** A meeting on the Jitsi server, which clients show as one at the provider that they asked for. */
export const createMeetingAt = handler(
  secondFormMeetingOperations.createMeetingAt,
  async ({ db, caller, params }, { meetingProviders, clock }: MeetingParts) => {
    const shownAs = shownProviders.find((known) => known === params.provider);
    if (shownAs === undefined) throw notFound('provider');
    return await keepMeeting({ db, caller, clock }, { ...readProvider('jitsi', meetingProviders), shownAs });
  },
);
