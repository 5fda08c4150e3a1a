import type { FactsOfNotification } from '../../features/notifications/notification-json.ts';
import type { Json } from '../../kernel/json.ts';
import { notificationInSecondForm } from '../shapes/notification.ts';

/** The events of the log that have a notification, for connections of the second form. */

/** A notification as the log has it: in the first form, with its user. */
export type LoggedNotification = {
  readonly id: number;
  readonly action: string;
  readonly template: string;
  readonly args: readonly string[];
  readonly link?: { readonly id: number; readonly type: string };
  readonly user_id: number;
  readonly created_at: string;
  readonly is_unread: boolean;
};

/** What an item of the log lacks: the users, rendered in the second form, and `factsOfNotifications`. */
export type LoggedFacts = {
  readonly actor: { readonly id: number; readonly json: string };
  readonly user: string;
  readonly facts: FactsOfNotification;
};

/** A notification of the log in the second form, the same as a list has. */
export function loggedNotification(logged: LoggedNotification, { actor, user, facts }: LoggedFacts): Json {
  const { id, action, template, args, link, created_at: createdAt, is_unread: isUnread } = logged;
  return notificationInSecondForm(
    {
      ...{ id, action, actor, createdAt, isUnread },
      sentence: { template, args },
      item: link,
      user: { id: logged.user_id, json: user },
    },
    facts,
  );
}
