import { query } from '../../db/statement.ts';
import { appsFor } from './access.sql.ts';

/** One app by its id, with what decides a user's access. */
export const appById = query<{ userId: number; id: number }>()((q, value) =>
  appsFor(q, value).where('apps.id', '=', value('id')),
);

/** One app by its uid, with what decides a user's access. */
export const appByUid = query<{ userId: number; uid: string }>()((q, value) =>
  appsFor(q, value).where('apps.uid', '=', value('uid')),
);
