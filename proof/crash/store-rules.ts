/** Rules for any store: each statement returns the rows that break the rule. */
export const storeRules: readonly {
  readonly what: 'count' | 'search' | 'store' | 'delivery' | 'event';
  readonly rule: string;
  readonly sql: string;
}[] = [
  {
    what: 'count',
    rule: 'a maintained count is the number of rows it counts',
    sql: `with counted (parent_type, parent_id, kind, live, trashed) as (
            select parent_type, parent_id, kind, sum(trashed_at is null), sum(trashed_at is not null and held_at is null)
              from entries group by 1, 2, 3
            union all
            select 'app', app_id, 'file', sum(trashed_at is null), sum(trashed_at is not null and held_at is null)
              from files where parent_type = 'app' group by 2
            union all
            select 'app', app_id, 'member', count(*), 0 from members join users on users.id = user_id
              where suspended_at is null and trashed_at is null group by 2
            union all
            select 'webhook', webhook_id, 'delivery', count(*), 0 from deliveries group by 2
            union all
            select 'user', user_id, 'notification', count(*), 0 from notifications group by 2
            union all
            select 'user', user_id, 'unread_notification', count(*), 0 from notifications
              where read_at is null group by 2),
          kept as (select parent_type, parent_id, kind, live, trashed from tallies
            where live + trashed > 0 and kind in ('comment', 'post', 'message', 'file', 'member', 'delivery',
              'notification', 'unread_notification'))
          select * from (select * from counted except select * from kept)
          union all select * from (select * from kept except select * from counted)`,
  },
  {
    what: 'count',
    rule: 'an entry knows how many options, reactions and attachments it has',
    sql: `select id from entries
          where option_count <> (select count(*) from options where entry_id = entries.id)
             or reaction_count <> (select count(*) from reactions where entry_id = entries.id)
             or attachment_count <> (select count(*) from files where parent_type = entries.kind
                                       and parent_id = entries.id)`,
  },
  {
    what: 'count',
    rule: 'an option knows how many votes it has, all of its own poll',
    sql: `select id from options where vote_count <> (select count(*) from votes
            where option_id = options.id and votes.entry_id = options.entry_id)`,
  },
  {
    what: 'count',
    rule: 'an app knows its newest message that is not in the trash',
    sql: `select id from apps where deleted_at is null and last_message_id is not (
            select max(entries.id) from entries where parent_type = 'app' and parent_id = apps.id
              and kind = 'message' and entries.trashed_at is null)`,
  },
  {
    what: 'event',
    rule: 'one event tells of each notification, to its own person',
    sql: `select id from notifications where 1 <> (
            select count(*) from events where action = 'notification_created'
              and entity_id = notifications.id and events.user_id = notifications.user_id)`,
  },
  {
    what: 'search',
    rule: 'the tags of an entry are those it can be found by',
    sql: `with shown as (select tag.value as tag, app_id, entries.id
                         from entries, json_each(content, '$.tags') as tag),
               kept as (select tag, app_id, entry_id from entry_tags)
          select * from (select * from shown except select * from kept)
          union all select * from (select * from kept except select * from shown)`,
  },
  {
    what: 'search',
    rule: 'the tags of an app are those it can be found by',
    sql: `with shown as (select tag.value as tag, apps.id from apps, json_each(tags) as tag),
               kept as (select tag, app_id from app_tags)
          select * from (select * from shown except select * from kept)
          union all select * from (select * from kept except select * from shown)`,
  },
  {
    what: 'search',
    rule: 'the tags of a file are those it can be found by',
    sql: `with shown as (select tag.value as tag, app_id, files.id from files, json_each(tags) as tag),
               kept as (select tag, app_id, file_id from file_tags)
          select * from (select * from shown except select * from kept)
          union all select * from (select * from kept except select * from shown)`,
  },
  ...(['entries', 'apps', 'files'] as const).map((table) => {
    const index = { entries: 'entry_search', apps: 'app_search', files: 'file_search' }[table];
    const isIndexed = table === 'files' ? "parent_type = 'app'" : 'true';
    return {
      what: 'search' as const,
      rule: `every row of ${table} is in the search index and nothing else is`,
      sql: `with shown as (select id from ${table} where ${isIndexed}), kept as (select rowid from ${index})
            select * from (select * from shown except select * from kept)
            union all select * from (select * from kept except select * from shown)`,
    };
  }),
  {
    what: 'event',
    rule: 'the last event of an entry tells of the entry as it is',
    sql: `select entries.id from entries join events on events.id = (
            select max(id) from events as last where last.entity_type = entries.kind
              and last.entity_id = entries.id)
          where json_extract('{' || payload || '}', '$.' || entity_type || '.text')
                  is not json_extract(content, '$.text')
             or json_extract('{' || payload || '}', '$.' || entity_type || '.tags')
                  is not json_extract(content, '$.tags')
             or json_extract('{' || payload || '}', '$.' || entity_type || '.is_trashed')
                  is not (trashed_at is not null and held_at is null)`,
  },
  {
    what: 'delivery',
    rule: 'a delivery says delivered only of an attempt that was',
    sql: `select id from deliveries where status = 'delivered' and not exists (
            select 1 from attempts where delivery_id = deliveries.id and status_code between 200 and 299)`,
  },
  {
    what: 'delivery',
    rule: 'a webhook with deliveries to send is due or being sent',
    sql: `select id from webhooks where due_at is null and lease is null and deleted_at is null
            and exists (select 1 from deliveries where webhook_id = webhooks.id and due_at is not null)`,
  },
  {
    what: 'delivery',
    rule: 'no lease outlives what is left of it',
    sql: `select id from webhooks where leased_until > unixepoch() * 1000 + 21000`,
  },
  { what: 'store', rule: 'every reference resolves', sql: 'pragma foreign_key_check' },
  {
    what: 'store',
    rule: 'the file is intact',
    sql: `select * from pragma_integrity_check where integrity_check <> 'ok'`,
  },
];
