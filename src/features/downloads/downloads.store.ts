import { sql } from 'kysely';
import { command, query } from '../../db/statement.ts';
import { fileIsShown } from '../access/access.sql.ts';
import { blobColumns } from '../access/blob.sql.ts';

/**
 * The blob behind an address, unless it waits in vain or every file that has it, now or as an earlier version, is out
 * of sight. A person's picture is served where nothing but something small made of it is (`isSmall` is 1), because its
 * bytes may say where it was taken; bytes kept elsewhere are not served at all.
 */
export const servedBlob = query<{ key: string; now: number; isSmall: number }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select(blobColumns)
    .where('key', '=', value('key'))
    .where('provider', 'is', null)
    .where(
      sql<boolean>`(expires_at > ${value('now')} or expires_at is null and (
        exists (select 1 from files join apps on apps.id = files.app_id where files.blob_id = blobs.id
          and files.trashed_at is null and apps.trashed_at is null and ${fileIsShown})
        or exists (select 1 from file_versions join files on files.id = file_versions.file_id
          join apps on apps.id = files.app_id where file_versions.blob_id = blobs.id
          and files.trashed_at is null and apps.trashed_at is null)
        or ${value('isSmall')} = 1 and exists (select 1 from users where users.picture_id = blobs.id)))`,
    ),
);

/** The blob that is somebody's picture now. */
export const pictureBlob = query<{ key: string }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select(blobColumns)
    .where('key', '=', value('key'))
    .where(sql<boolean>`exists (select 1 from users where users.picture_id = blobs.id)`),
);

/** Keeps a setting unless there is one of this name. */
export const insertSetting = command<{ name: string; value: string }>()((q, value) =>
  q
    .insertInto('settings')
    .values({ name: value('name'), value: value('value') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** A setting that the server made for itself. */
export const settingOf = query<{ name: string }>()((q, value) =>
  q.selectFrom('settings').select('value').where('name', '=', value('name')),
);
