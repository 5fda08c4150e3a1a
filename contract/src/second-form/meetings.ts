import { Meeting } from '../meetings.ts';
import { operationsOf } from '../operation.ts';

/** The operations of the second form on meetings. */
export const secondFormMeetingOperations = operationsOf('Meetings', {
  createMeetingAt: {
    method: 'POST',
    path: '/x/{provider}/meetings',
    summary: 'Makes a video meeting, which clients show as one at this provider.',
    description:
      'The provider is `zoom`, `google` or `microsoft`, those that the client knows; another one is 404. The meeting takes place on the Jitsi server of `CONFAB_JITSI_URL` in each case. `code` says where, and nobody has to sign in anywhere.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    params: { provider: 'text' },
    success: { 201: Meeting },
    errors: [401, 404, 422],
  },
});
