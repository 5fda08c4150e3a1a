import { invalidField } from 'confab-contract/problem.ts';
import { agentOperations } from 'confab-contract/second-form/agents.ts';
import { ownUidFault } from 'confab-contract/values/ids.ts';
import { handler } from '../../binding/handler.ts';
import { putUser } from '../users/upsert.ts';
import { prepareChange, type UserChange, userReaders } from '../users/user-change.ts';
import { trashOrRestoreUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { type AgentParts, agentDetail, agentReaders, splitBody, writeAgent } from './agents.ts';

/** A change of a user that makes the user a program. */
function asAgent(change: UserChange): UserChange {
  return { ...change, values: { ...change.values, isBot: true } };
}

/** Changes the agent with the uid in the path, or creates it. */
export const upsertAgent = handler(
  agentOperations.upsertAgent,
  async (input, { principal, params: { user: uid } }, parts: AgentParts) => {
    const fault = ownUidFault('user', uid);
    const read = await input
      .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
      .read({ ...userReaders, ...agentReaders(parts) })
      .readLater({ picture: parts.pictures.reader(principal, { uid }) });
    return read.map((body) => {
      const { change, profile } = splitBody(body);
      return { change, user: asAgent(prepareChange(profile)) };
    });
  },
  async (call, parts: AgentParts) => {
    const { tx, params, body } = call;
    const put = await putUser(call, params.user, body.user);
    if (put.user.way !== null || put.user.id === systemUserId)
      throw invalidField('/uid', 'taken', 'is that of a visitor or of the system, who can be no agent');
    const user = await trashOrRestoreUser(call, put.user, { isTrashed: false });
    const row = await writeAgent(tx, user, { change: body.change, box: parts.box });
    return { status: put.isNew ? 201 : 200, body: await agentDetail(call, { user, row, parts }) };
  },
);
