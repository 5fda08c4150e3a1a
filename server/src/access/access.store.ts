import { query, type Remembered, remember } from '../db/statement.ts';
import { type AppRow, appsFor } from './access.sql.ts';

const ofApp: Remembered<AppRow> = {
  id: ({ id }) => id,
  tables: { apps: 'id', members: 'app_id', stars: 'app_id', subscriptions: 'entity_id' },
  changesSeldom: true,
};

/** One app by its id, with what decides a user's access. */
export const appById = remember(
  query<{ userId: number; id: number }>()((q, value) => appsFor(q, value).where('apps.id', '=', value('id'))),
  ofApp,
);

/** One app by its uid, with what decides a user's access. */
export const appByUid = remember(
  query<{ userId: number; uid: string }>()((q, value) =>
    appsFor(q, value).where('apps.uid', '=', value('uid')),
  ),
  ofApp,
);
