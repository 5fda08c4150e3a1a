import assert from 'node:assert/strict';
import type { Notification } from 'confab-contract/notifications.ts';
import { readWindow, windowEventsMax } from 'confab-server/src/features/notifications/log-window.ts';
import { storedPosition } from 'confab-server/src/features/notifications/notifier.store.ts';
import { poll } from './poll.ts';
import type { TestServer } from './server.ts';
import { readStore } from './stores/store-watch.ts';

/**
 * Waits until the notifier has read the whole log; wakes it, so that it does not rest first. It does not store how far it
 * has read where the rest of the log notifies nobody, so the events that do are what counts.
 */
export async function settledLog({ running }: TestServer): Promise<void> {
  const { db } = running;
  await poll('the log to be read', async () => {
    await db.write(async (tx) => tx.wake('events'));
    const { eventId } = (await db.read.get(storedPosition, {})) ?? { eventId: 0 };
    const { notices } = await readWindow(db.read, eventId, {
      newest: eventId + windowEventsMax,
      top: windowEventsMax,
    });
    return notices.length === 0 || undefined;
  });
}

/** The notifications of the user of a token, the newest first, at most 100. */
export async function notificationsOf(
  server: TestServer,
  token: string,
  query = '',
): Promise<Notification[]> {
  const path = `/api/notifications?top=100&${query}`;
  const { status, body, text } = await server.call('GET', path, undefined, { as: token });
  assert.equal(status, 200, text);
  return body.data;
}

/**
 * The violations of the guarantee that each notification has exactly one event, for its own user, and that the stored
 * counts equal the rows.
 */
export function notificationFaults({ folder }: Pick<TestServer, 'folder'>): string[] {
  const untold = readStore(
    folder,
    `select * from (select id, (select count(*) from events where action = 'notification_created'
       and entity_id = notifications.id and events.user_id = notifications.user_id) as told from notifications) as each
     where told <> 1`,
  );
  const miscounted = readStore(
    folder,
    `select * from (select users.id, kind, (select count(*) from notifications where user_id = users.id
         and (kind = 'notification' or read_at is null)) as counted,
       coalesce((select live from tallies where parent_type = 'user' and parent_id = users.id
         and tallies.kind = kinds.kind), 0) as kept
     from users, (select 'notification' as kind union select 'unread_notification') as kinds) as each
     where counted <> kept`,
  );
  return [
    ...untold.map(({ id, told }) => `notification ${id} has ${told} events`),
    ...miscounted.map(({ id, kind, counted, kept }) => `user ${id} has ${counted} of ${kind}, kept ${kept}`),
  ];
}
