import type { UnixMs } from 'confab-contract/values/time.ts';
import { userOf } from '../../access/user/user.sql.ts';
import type { Tx } from '../../db/db.ts';
import { appendAll } from '../../events/append-all.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { findUsers } from '../users/users.ts';
import type { Batch } from './log-window.ts';
import { excerptOf, type Notice, type NoticeContext, reasons } from './notice.ts';
import { renderNotification } from './notification-json.ts';
import { countsOf, nameOf, type Recipient, recordOf, required } from './notification-record.ts';
import { addToCounts, appNames, fileNames, insertNotifications, recipients } from './notifier.store.ts';

/** The recipients of a batch, each once for an event and with the strongest reason; one statement. */
export async function recipientsOf(
  tx: Tx,
  { audiences, notices }: Batch,
  people: PeopleSetting,
): Promise<Recipient[]> {
  if (audiences.length === 0) return [];
  const rows = await tx.all(recipients(people), { audiences: JSON.stringify(audiences) });
  const found = rows.map(({ eventId, rank, ...user }) => ({
    eventId: Number(eventId),
    rank: Number(rank),
    userId: user.id,
    userJson: renderUser(userOf(user)),
  }));
  return onceForABurst(found, notices);
}

/** The recipients without those who are notified of something else that is held in the same app. */
function onceForABurst(found: readonly Recipient[], notices: readonly Notice[]): Recipient[] {
  const appOf = new Map(notices.map(({ eventId, appId }) => [eventId, appId]));
  const told = new Set<string>();
  return found.filter(({ eventId, userId, rank }) => {
    if (reasons[rank] !== 'held') return true;
    const key = `${userId} ${appOf.get(eventId)}`;
    return !told.has(key) && told.add(key);
  });
}

/** The notifications of some recipients: `write` adds them with their counts and events, in a fixed number of statements. */
export async function prepareNotifications(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  batch: Batch,
  to: readonly Recipient[],
): Promise<{ write(): Promise<void> }> {
  const notices = batch.notices.filter((notice) => to.some(({ eventId }) => eventId === notice.eventId));
  const noticeById = new Map(notices.map((notice) => [notice.eventId, notice]));
  const actorIds = notices.map(({ actorId }) => actorId);
  const [contexts, actors] = await Promise.all([contextsOf(tx, notices), findUsers(tx, actorIds)]);
  const records = to.map((recipient) => {
    const notice = required(noticeById.get(recipient.eventId));
    return recordOf(notice, recipient, required(contexts.get(notice.eventId)));
  });
  return {
    async write() {
      const counts = JSON.stringify(countsOf(to));
      await tx.run(addToCounts, { counts, kind: 'notification' });
      await tx.run(addToCounts, { counts, kind: 'unread_notification' });
      const rows = await tx.all(insertNotifications, { records: JSON.stringify(records) });
      const idOf = new Map(rows.map(({ id, eventId, userId }) => [`${eventId} ${userId}`, id]));
      const events = records.map((record, index) => {
        const id = required(idOf.get(`${record.eventId} ${record.userId}`));
        const row = { ...record, id, readAt: null, isShown: 1 };
        const { apiKeyId, via } = required(noticeById.get(record.eventId));
        return {
          actor: actorOf({ user: required(actors.get(record.actorId)), apiKeyId, via }),
          appId: record.appId,
          userId: record.userId,
          entity: { id, json: renderNotification(row, { user: required(to[index]).userJson }) },
        };
      });
      await appendAll(tx, { action: 'notification_created', at }, events);
    },
  };
}

/** Finds what the sentences of some notices show, by event; two statements at most. */
async function contextsOf(tx: Tx, notices: readonly Notice[]): Promise<Map<number, NoticeContext>> {
  const apps = await tx.all(appNames, { ids: [...new Set(notices.map(({ appId }) => appId))] });
  const fileIds = notices.flatMap(({ fileId }) => (fileId === undefined ? [] : [fileId]));
  const files = fileIds.length === 0 ? [] : await tx.all(fileNames, { ids: fileIds });
  const appById = new Map(apps.map((app) => [app.id, app]));
  const fileById = new Map(files.map((file) => [file.id, file.name]));
  return new Map(
    notices.map((notice) => {
      const app = appById.get(notice.appId);
      const appName = app === undefined ? undefined : nameOf(app);
      const fileName = notice.fileId === undefined ? undefined : fileById.get(notice.fileId);
      return [notice.eventId, { appName, fileName, excerpt: excerptOf(notice) }];
    }),
  );
}
