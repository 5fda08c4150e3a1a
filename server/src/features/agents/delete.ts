import { agentOperations } from 'confab-contract/second-form/agents.ts';
import { handler } from '../../binding/handler.ts';
import { trashOrRestoreUser } from '../users/user-record.ts';
import { removeAgent } from './agents.store.ts';
import { getAgentRow } from './agents.ts';

/** Deletes an agent, and puts its user in the trash. */
export const deleteAgent = handler(agentOperations.deleteAgent, async (call) => {
  await getAgentRow(call.tx, call.on);
  await call.tx.run(removeAgent, { id: call.on.id });
  await trashOrRestoreUser(call, call.on, { isTrashed: true });
  return undefined;
});
