import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Meetings } from './meetings.ts';

/** Binds the operations of meetings. */
export function bindMeetings(http: Http, meetings: Meetings): void {
  http.bind(operations.createMeeting, ({ principal, body }) => meetings.createMeeting(principal, body));
  http.bind(operations.getMeeting, ({ principal, params }) => meetings.getMeeting(principal, params.id));
}
