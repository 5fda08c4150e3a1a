import { userOperations } from 'confab-contract/users.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { type ConfirmedOrder, isReferenceClient } from '../../kernel/reference-client.ts';
import { waysOfVisitor } from './users.store.ts';
import { type UserParts, userDetail } from './users.ts';
import { factsOfVisitors, withFacts } from './visitor-facts.ts';

/** One user in full. */
export const getUser = handler(userOperations.getUser, async ({ read, caller, on, at }, parts: UserParts) => {
  const facts = await factsOfVisitors(read, [on], at);
  return withFacts(await userDetail({ read, caller }, on, parts), facts.get(on.id));
});

/** The caller in full. The reference client gets this response after the one about features; see `AnswerOrder`. */
export const getCaller = handler(
  userOperations.getCaller,
  async ({ read, caller, raw }, parts: UserParts & { readonly order: ConfirmedOrder }) => {
    if (isReferenceClient(raw.headers['x-weavy-source'])) await parts.order.afterFeatures(caller.user.id);
    const detail = await userDetail({ read, caller }, caller.user, parts);
    if (caller.kind !== 'visitor') return detail;
    const ways = (await read.all(waysOfVisitor, { userId: caller.user.id })).map(({ way }) => way);
    return json(`${detail.slice(0, -1)},"ways":${JSON.stringify(ways)}}`);
  },
);
