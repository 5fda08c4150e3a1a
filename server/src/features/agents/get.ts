import { agentOperations } from 'confab-contract/second-form/agents.ts';
import { handler } from '../../binding/handler.ts';
import type { UserParts } from '../users/users.ts';
import { agentDetail, getAgentRow } from './agents.ts';

/** One agent. */
export const getAgent = handler(agentOperations.getAgent, async ({ read, on: user }, parts: UserParts) =>
  agentDetail(read, { user, row: await getAgentRow(read, user), parts }),
);
