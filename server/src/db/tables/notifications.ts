import type { Generated } from 'kysely';

/**
 * The notifications of users. `args` is a JSON array, `words` the text that is searched. Those of the host product have
 * `tags`, a JSON array, and `metadata`; they may be about nothing, which are an app and a link of 0.
 */
type NotificationColumns = {
  event_id: number;
  user_id: number;
  reason: string;
  action: string;
  actor_id: number;
  app_id: number;
  link_type: string;
  link_id: number;
  template: string;
  args: string;
  words: string;
  created_at: number;
  read_at: number | null;
  tags: string | null;
  metadata: string | null;
};

/** The two tables that have notifications. */
export type NotificationTable = 'notifications' | 'hidden_notifications';

/** The rows of the tables of notifications; see `tables.ts`. */
export type NotificationTables = {
  /** The notifications that are in the lists of their users and in their counts. */
  notifications: { id: Generated<number> } & NotificationColumns;
  /** Notifications about trashed or held items. They return with their ids when the item is shown again. */
  hidden_notifications: { id: number } & NotificationColumns;
  /**
   * Things whose notifications are to be looked at again; an `entity_type` of `notification` stands for all. `is_below` is
   * 1 where those about the comments below the thing are meant. `after_group` and `after_id` say how far the work is.
   */
  notification_refreshes: {
    id: Generated<number>;
    entity_type: string;
    entity_id: number;
    is_below: Generated<number>;
    after_group: Generated<number>;
    after_id: Generated<number>;
  };
};
