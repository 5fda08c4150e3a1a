import { appTypeGuids, appTypeNames } from 'confab-contract/apps.ts';
import type { Read } from '../../db/db.ts';
import type { NotificationFacts } from '../../second-form/shapes/notification.ts';
import { quoteOf } from './notice.ts';
import { notificationFacts } from './notification-facts.store.ts';

const guids: ReadonlyMap<string, string | undefined> = new Map(
  appTypeNames.map((name, index) => [name, appTypeGuids[index]]),
);
const conversationTypes: ReadonlySet<string> = new Set(['chat_room', 'private_chat', 'agent_chat']);

/**
 * What the second form shows of some notifications besides what the log and the first form have, by id; one statement.
 * Conversations have no uid for clients.
 */
export async function factsOfNotifications(
  read: Read,
  ids: readonly number[],
): Promise<Map<number, NotificationFacts>> {
  const rows = ids.length === 0 ? [] : await read.all(notificationFacts, { ids });
  return new Map(
    rows.map(({ id, type, appId, appType, appUid, parentId, parentType, content, metadata, tags }) => {
      const uid = appType === null || conversationTypes.has(appType) ? undefined : (appUid ?? undefined);
      return [
        id,
        {
          type,
          app: appType === null ? undefined : { id: appId, uid, guid: guids.get(appType) },
          parent: parentId === null || parentType === null ? undefined : { id: parentId, type: parentType },
          quote: content === null ? '' : quoteOf(JSON.parse(content).plain),
          metadata,
          tags,
        },
      ];
    }),
  );
}
