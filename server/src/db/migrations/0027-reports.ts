import type { Migration } from './migration.ts';

/** Reports, one row for each item, and the complaints of users about it. */
export const reports: Migration = {
  id: 27,
  name: 'reports',
  up: ({ id, integer, text, table }) => [
    table(
      'reports',
      `${id}, app_id ${integer} not null references apps(id), entity_type ${text} not null, entity_id ${integer} not null,
       author_id ${integer} not null references users(id), is_open ${integer} not null, report_count ${integer} not null,
       new_count ${integer} not null, reasons ${text} not null, text_ids ${text} not null, snapshot ${text},
       created_at ${integer} not null, reported_at ${integer} not null, resolved_at ${integer},
       resolved_by_id ${integer} references users(id), action ${text}, note ${text}`,
    ),
    `create unique index reports_entity on reports (entity_type, entity_id)`,
    // The queue of all apps in each order, and the queue of open reports, which are few.
    `create index reports_created on reports (created_at, id)`,
    `create index reports_reported on reports (reported_at, id)`,
    `create index reports_count on reports (report_count, id)`,
    `create index reports_open on reports (id) where is_open = 1`,
    `create index reports_open_created on reports (created_at, id) where is_open = 1`,
    `create index reports_open_reported on reports (reported_at, id) where is_open = 1`,
    `create index reports_open_count on reports (report_count, id) where is_open = 1`,
    // The queue of those who moderate some apps.
    `create index reports_app on reports (app_id, is_open, reported_at, id)`,
    `create index reports_author on reports (author_id)`,
    table(
      'complaints',
      `${id}, report_id ${integer} not null references reports(id) on delete cascade,
       user_id ${integer} not null references users(id), reason ${text} not null, text ${text},
       created_at ${integer} not null, is_counted ${integer} not null`,
    ),
    `create unique index complaints_user on complaints (user_id, report_id)`,
    `create index complaints_report on complaints (report_id, id)`,
    // The number of a user's open complaints, and the complaints of a report that a decision closes.
    `create index complaints_counted on complaints (user_id) where is_counted = 1`,
    `create index complaints_ended on complaints (report_id) where is_counted = 1`,
    // The members and users who are notified of reports.
    `create index members_moderators on members (app_id, user_id) where coalesce(role, '') <> 'member'`,
    `create index members_moderated on members (user_id, app_id) where coalesce(role, '') <> 'member'`,
    `create index users_moderators on users (id) where role = 'moderator'`,
  ],
};
