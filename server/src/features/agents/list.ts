import { agentOperations } from 'confab-contract/second-form/agents.ts';
import { handler } from '../../binding/handler.ts';
import { readList } from '../../db/list.ts';
import { envelope } from '../../kernel/page.ts';
import { findUsers } from '../users/users.ts';
import { agentList } from './agents.store.ts';
import { renderAgent } from './agents.ts';

/** The agents of the server. */
export const listAgents = handler(agentOperations.listAgents, async ({ read, caller, list }) => {
  // Agents are found by their users, so a search here matches none, as tags and the trash do.
  if (list.trashed === true || list.tag !== undefined || list.q !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { rows, count, next } = await readList(read, agentList, { list, settings: {}, parameters: {} });
  const users = await findUsers(
    read,
    rows.map(({ id }) => id),
  );
  const items = rows.flatMap((row) => {
    const user = users.get(row.id);
    return user === undefined ? [] : [renderAgent(caller, user, row)];
  });
  return envelope(list, { items, count, next });
});
