import type { Migration } from './migration.ts';

/** Events whose notifications could not be made, with the last user who was notified and the reason. */
export const parkedEvents: Migration = {
  id: 15,
  name: 'parked-events',
  up: ({ integer, text, table }) => [
    table(
      'parked_events',
      `event_id ${integer} primary key references events(id), user_id ${integer} not null, error ${text} not null,
       parked_at ${integer} not null`,
    ),
  ],
};
