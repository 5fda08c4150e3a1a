import { sql } from 'kysely';
import { contentColumns } from '../../access/file/file.sql.ts';
import { rowCount } from '../../db/dialect.ts';
import { type Bind, type Builder, command, query, type RowFrom } from '../../db/statement.ts';

function versionsOf<P extends { fileId: number }>(q: Builder, value: Bind<P>) {
  return q
    .selectFrom('file_versions')
    .innerJoin('blobs', 'blobs.id', 'file_versions.blob_id')
    .select([
      'file_versions.number',
      'file_versions.blob_id as blobId',
      'file_versions.name',
      'file_versions.created_at as at',
      'file_versions.created_by_id as userId',
      ...contentColumns,
    ])
    .where('file_versions.file_id', '=', value('fileId' as keyof P & string) as number);
}

/** An earlier content of a file. */
export type VersionRow = RowFrom<typeof versionsOf>;

/** The earlier versions of a file, the newest first. */
export const listVersions = query<{ fileId: number; top: number; skip: number }>()((q, value) =>
  versionsOf(q, value)
    .orderBy('file_versions.number', 'desc')
    .limit(rowCount(value('top')))
    .offset(rowCount(value('skip'))),
);

/** How many earlier versions a file has. */
export const countEarlierVersions = query<{ fileId: number }>()((q, value) =>
  q
    .selectFrom('file_versions')
    .select(sql<number>`count(*)`.as('count'))
    .where('file_id', '=', value('fileId')),
);

/** One earlier version of a file. */
export const versionByNumber = query<{ fileId: number; number: number }>()((q, value) =>
  versionsOf(q, value).where('file_versions.number', '=', value('number')),
);

/** Deletes an earlier version. */
export const deleteVersion = command<{ fileId: number; number: number }>()((q, value) =>
  q.deleteFrom('file_versions').where('file_id', '=', value('fileId')).where('number', '=', value('number')),
);
