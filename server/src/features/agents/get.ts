import { agentOperations } from 'confab-contract/second-form/agents.ts';
import { handler } from '../../binding/handler.ts';
import type { UserParts } from '../users/users.ts';
import { agentDetail, getAgentRow } from './agents.ts';

/** One agent. */
export const getAgent = handler(agentOperations.getAgent, async (call, parts: UserParts) => {
  const { read, on: user } = call;
  return await agentDetail(call, { user, row: await getAgentRow(read, user), parts });
});
