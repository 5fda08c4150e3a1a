import { agentOperations } from 'confab-contract/second-form/agents.ts';
import { handler } from '../../binding/handler.ts';
import { prepareChange, userReaders } from '../users/user-change.ts';
import { changeUser } from '../users/user-record.ts';
import { type AgentParts, agentDetail, agentReaders, getAgentRow, splitBody, writeAgent } from './agents.ts';

/** Changes an agent and its user. */
export const updateAgent = handler(
  agentOperations.updateAgent,
  async (input, { principal, params: { user: ref } }, parts: AgentParts) => {
    const read = await input
      .read({ ...userReaders, ...agentReaders(parts) })
      .readLater({ picture: parts.pictures.reader(principal, ref) });
    return read.map((body) => {
      const { change, profile } = splitBody(body);
      return { change, user: prepareChange(profile) };
    });
  },
  async (call, parts: AgentParts) => {
    const { tx, on, body } = call;
    await getAgentRow(tx, on);
    const user = await changeUser(call, on, body.user);
    const row = await writeAgent(tx, user, { change: body.change, box: parts.box });
    return await agentDetail(call, { user, row, parts });
  },
);
