import { sql } from 'kysely';
import { fileIsShown } from '../../access/access.sql.ts';
import { blobColumns } from '../../access/blob/blob.sql.ts';
import { query } from '../../db/statement.ts';

/** True for the present picture of a user, or of an app that is not in the trash. */
const isPicture = sql<boolean>`(exists (select 1 from users where users.picture_id = blobs.id)
  or exists (select 1 from apps where apps.picture_id = blobs.id and apps.trashed_at is null))`;

/**
 * The blob behind an address, unless it has expired unused or every file that has it, as its present or an earlier
 * version, is hidden. Of the picture of a user or an app only a smaller form is served (`isSmall` is 1), because the original may
 * contain the place where it was taken. Bytes stored elsewhere are not served at all.
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
        or ${value('isSmall')} = 1 and ${isPicture}))`,
    ),
);

/** The blob that is the present picture of a user or an app. */
export const pictureBlob = query<{ key: string }>()((q, value) =>
  q.selectFrom('blobs').select(blobColumns).where('key', '=', value('key')).where(isPicture),
);
