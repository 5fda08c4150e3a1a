import { sql } from 'kysely';
import { filesFor } from '../../access/file/file.sql.ts';
import { anyOf, numbersOf } from '../../db/dialect.ts';
import { command, insertSelected, query } from '../../db/statement.ts';

// A literal rather than a parameter: the partial index is used only for a condition that is literally its own.
const attached = sql<boolean>`files.parent_type <> 'app'`;

/** The attachments of some entries of one kind, in the order in which they were attached. */
export const attachmentsOfEntries = query<{ userId: number; kind: string; entryIds: readonly number[] }>()(
  (q, value) =>
    filesFor(q, value)
      .where(attached)
      .where('files.parent_type', '=', value('kind'))
      .where(anyOf(sql.ref('files.parent_id'), value('entryIds')))
      .orderBy('files.parent_id')
      .orderBy('files.id'),
);

/** Turns blobs into attachments of an entry, in the order of the list. */
export const insertAttachments = command<{
  appId: number;
  kind: string;
  entryId: number;
  blobIds: readonly number[];
  at: number;
  userId: number;
}>()((q, value) =>
  insertSelected(q, 'files', {
    from: q
      .selectFrom([numbersOf(value('blobIds'), 'given'), 'blobs'])
      .where(sql<boolean>`blobs.id = given.value`)
      .orderBy(sql`given.key`),
    values: {
      app_id: value('appId'),
      parent_type: value('kind'),
      parent_id: value('entryId'),
      blob_id: sql<number>`blobs.id`,
      version: sql<number>`1`,
      name: sql<string>`blobs.name`,
      created_at: value('at'),
      created_by_id: value('userId'),
    },
  }),
);

/** The files attached to some entries of one kind. */
export const filesOfEntries = query<{ kind: string; entryIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'blob_id as blobId'])
    .where(attached)
    .where('parent_type', '=', value('kind'))
    .where(anyOf(sql.ref('parent_id'), value('entryIds'))),
);
