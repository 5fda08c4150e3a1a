import { query } from '../../db/statement.ts';
import { appsFor } from './access.sql.ts';

/** One app by its id, as it stands to a user. */
export const appById = query<{ userId: number; id: number }>()((q, value) =>
  appsFor(q, value).where('apps.id', '=', value('id')),
);

/** One app by its uid, as it stands to a user. */
export const appByUid = query<{ userId: number; uid: string }>()((q, value) =>
  appsFor(q, value).where('apps.uid', '=', value('uid')),
);
