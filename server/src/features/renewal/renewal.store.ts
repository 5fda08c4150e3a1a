import { type SelectExpression, sql } from 'kysely';
import { isEntry } from '../../access/entry/entry.sql.ts';
import { anyOf, rowCount, textIn } from '../../db/dialect.ts';
import { updateRecords } from '../../db/records.ts';
import { type Numbered, partOfAnyTable, type Query, query, type RowOf } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';

type Page = { after: number; top: number };

/** When a row was last changed, in Unix milliseconds. */
const changedAt = sql<number>`coalesce(modified_at, created_at)`.as('changedAt');

/** The next rows of a table after an id. */
function rowsAfter<T extends Numbered, const C extends readonly SelectExpression<Tables, T>[]>(
  table: T,
  columns: C,
): Query<Page, RowOf<T, C>> {
  const rows = query<Page>()((q, value) =>
    q
      .selectFrom(table as 'apps')
      .select(partOfAnyTable(columns))
      .where('id', '>', value('after'))
      .orderBy('id')
      .limit(rowCount(value('top'))),
  );
  return partOfAnyTable(rows);
}

/** Some apps whose names have no keys yet. */
export const appsWithoutKeys = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('apps')
    .select(['id', 'uid', 'name'])
    .where('display_name_key', '=', '')
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Some users whose names have no keys yet. */
export const usersWithoutKeys = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('users')
    .select(['id', 'display_name as displayName', 'name'])
    .where('display_name_key', '=', '')
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Some directories whose names have no key yet. */
export const directoriesWithoutKeys = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('directories')
    .select(['id', 'name'])
    .where('name_key', '=', '')
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Some files of apps whose names have no key yet; attachments have none. */
export const filesWithoutKeys = query<{ top: number }>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'name'])
    .where('name_key', '=', '')
    .where(sql<boolean>`parent_type = 'app'`)
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Sets the keys of names of apps. */
export const keepAppKeys = updateRecords('apps', {
  name_key: textIn('given', 'nameKey'),
  display_name_key: textIn('given', 'displayNameKey'),
});

/** Sets the keys of names of users. */
export const keepUserKeys = updateRecords('users', {
  name_key: textIn('given', 'nameKey'),
  display_name_key: textIn('given', 'displayNameKey'),
  skeleton: textIn('given', 'skeleton'),
});

/** Sets the keys of names of directories. */
export const keepDirectoryKeys = updateRecords('directories', { name_key: textIn('given', 'nameKey') });

/** Sets the keys of names of files. */
export const keepFileKeys = updateRecords('files', { name_key: textIn('given', 'nameKey') });

/** The next entries after an id, with how many bytes they have. */
export const entrySizesAfter = rowsAfter('entries', [
  'id',
  changedAt,
  sql<number>`octet_length(content)`.as('bytes'),
]);

/** The texts from which the words of some entries are derived. */
export const entryTexts = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .select([
      'id',
      'kind',
      'app_id as appId',
      'parent_type as parentType',
      'parent_id as parentId',
      'content',
    ])
    .where(anyOf(sql.ref('id'), value('ids')))
    .where(isEntry),
);

/** The texts from which the words of the next apps are derived. */
export const appTextsAfter = rowsAfter('apps', [
  'id',
  'uid',
  'name',
  'description',
  'deleted_at as deletedAt',
  changedAt,
]);

/** The texts from which the words of the next users are derived. */
export const userTextsAfter = rowsAfter('users', [
  'id',
  'uid',
  'name',
  'given_name as givenName',
  'middle_name as middleName',
  'family_name as familyName',
  'nickname',
  'email',
  changedAt,
]);

/** The texts from which the words of the next files are derived; attachments have none. */
export const fileTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'app_id as appId', 'name', changedAt])
    .where(sql<boolean>`parent_type = 'app'`)
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The texts from which the words of the next directories are derived. */
export const directoryTextsAfter = rowsAfter('directories', [
  'id',
  'name',
  // A change of the name leaves no time.
  sql<number>`9007199254740991`.as('changedAt'),
]);

/** The texts from which the words of the next webhooks are derived. */
export const webhookTextsAfter = rowsAfter('webhooks', [
  'id',
  'payload_url as payloadUrl',
  'deleted_at as deletedAt',
  changedAt,
]);

/** The texts from which the words of the next notifications are derived. */
export const notificationTextsAfter = rowsAfter('notifications', [
  'id',
  'template',
  'args',
  'created_at as changedAt',
]);

/** The same of notifications about what is not shown. */
export const hiddenNotificationTextsAfter = rowsAfter('hidden_notifications', [
  'id',
  'template',
  'args',
  'created_at as changedAt',
]);

/** Writes the words of notifications; `given` is a JSON array of `{id, words}`. */
export const keepNotificationWords = updateRecords('notifications', { words: textIn('given', 'words') });

/** The same of notifications about what is not shown. */
export const keepHiddenNotificationWords = updateRecords('hidden_notifications', {
  words: textIn('given', 'words'),
});
