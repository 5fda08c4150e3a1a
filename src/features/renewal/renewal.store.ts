import { type AliasedExpression, sql } from 'kysely';
import { anyOf, numberIn, recordsOf, rowCount, textIn } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

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

/** `rows`, a JSON array of `{id, nameKey, displayNameKey}`, as a table. */
const given = (rows: string) =>
  recordsOf(rows, 'given') as unknown as AliasedExpression<{ key: number }, 'given'>;

/** Sets the keys of names of apps. */
export const keepAppKeys = command<{ given: string }>()((q, value) =>
  q
    .updateTable('apps')
    .from(given(value('given')))
    .set({ name_key: textIn('given', 'nameKey'), display_name_key: textIn('given', 'displayNameKey') })
    .where('apps.id', '=', numberIn('given', 'id')),
);

/** Sets the keys of names of users. */
export const keepUserKeys = command<{ given: string }>()((q, value) =>
  q
    .updateTable('users')
    .from(given(value('given')))
    .set({ name_key: textIn('given', 'nameKey'), display_name_key: textIn('given', 'displayNameKey') })
    .where('users.id', '=', numberIn('given', 'id')),
);

/** Sets the keys of names of directories. */
export const keepDirectoryKeys = command<{ given: string }>()((q, value) =>
  q
    .updateTable('directories')
    .from(given(value('given')))
    .set({ name_key: textIn('given', 'nameKey') })
    .where('directories.id', '=', numberIn('given', 'id')),
);

/** Sets the keys of names of files. */
export const keepFileKeys = command<{ given: string }>()((q, value) =>
  q
    .updateTable('files')
    .from(given(value('given')))
    .set({ name_key: textIn('given', 'nameKey') })
    .where('files.id', '=', numberIn('given', 'id')),
);

type Page = { after: number; top: number };

/** The next entries after an id, with how many bytes they have. */
export const entrySizesAfter = query<Page>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', sql<number>`octet_length(content)`.as('bytes')])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

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
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** The texts from which the words of the next apps are derived. */
export const appTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('apps')
    .select(['id', 'uid', 'name', 'description', 'deleted_at as deletedAt'])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The texts from which the words of the next users are derived. */
export const userTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('users')
    .select([
      'id',
      'uid',
      'name',
      'given_name as givenName',
      'middle_name as middleName',
      'family_name as familyName',
      'nickname',
      'email',
    ])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The texts from which the words of the next files are derived; attachments have none. */
export const fileTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'app_id as appId', 'name'])
    .where(sql<boolean>`parent_type = 'app'`)
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The texts from which the words of the next directories are derived. */
export const directoryTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('directories')
    .select(['id', 'name'])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The texts from which the words of the next webhooks are derived. */
export const webhookTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(['id', 'payload_url as payloadUrl', 'deleted_at as deletedAt'])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The texts from which the words of the next notifications are derived. */
export const notificationTextsAfter = query<Page>()((q, value) =>
  q
    .selectFrom('notifications')
    .select(['id', 'template', 'args'])
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Writes the words of notifications; `given` is a JSON array of `{id, words}`. */
export const keepNotificationWords = command<{ given: string }>()((q, value) =>
  q
    .updateTable('notifications')
    .from(given(value('given')))
    .set({ words: textIn('given', 'words') })
    .where('notifications.id', '=', numberIn('given', 'id')),
);
