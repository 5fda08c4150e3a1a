import { query } from '../../db/statement.ts';

/** One directory by id. */
export const directoryById = query<{ id: number }>()((q, value) =>
  q.selectFrom('directories').select(['id', 'name']).where('id', '=', value('id')),
);

/** One directory by name. */
export const directoryByName = query<{ name: string }>()((q, value) =>
  q.selectFrom('directories').select(['id', 'name']).where('name', '=', value('name')),
);
