import { optionOperations } from 'confab-contract/options.ts';
import { handler } from '../../binding/handler.ts';
import { jsonArray } from '../../kernel/json.ts';
import { renderedUsers } from '../users/users.ts';
import { votersOf } from './options.store.ts';

/** Every user who chose the option. */
export const listVoters = handler(optionOperations.listVoters, async ({ read, caller, on }) => {
  const voters = (await read.all(votersOf, { optionId: on.option.id })).map(({ userId }) => userId);
  const users = await renderedUsers(read, caller, voters);
  return jsonArray(voters.flatMap((userId) => users.get(userId) ?? []));
});
