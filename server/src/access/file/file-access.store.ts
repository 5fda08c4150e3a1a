import { query } from '../../db/statement.ts';
import { fileIsShown } from '../access.sql.ts';
import { filesFor } from './file.sql.ts';

/** A file, or an attachment whose entry is not in the trash. */
export const fileById = query<{ userId: number; id: number }>()((q, value) =>
  filesFor(q, value).where('files.id', '=', value('id')).where(fileIsShown),
);
