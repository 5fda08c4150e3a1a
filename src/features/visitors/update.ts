import { handler } from '../../binding/handler.ts';
import { signingInOperations } from '../../contract/signing-in.ts';
import { changeUser } from '../users/user-record.ts';
import { type UserParts, userDetail } from '../users/users.ts';
import { readName } from './visitor-names.ts';
import type { SignInParts } from './ways.ts';

/** Changes the name of the visitor. */
export const updateVisitor = handler(
  signingInOperations.updateVisitor,
  async (input, _call, { signIn }: SignInParts) => {
    await signIn.names.prepare();
    return input.read({ name: readName });
  },
  async (call, { signIn, ...parts }: SignInParts & UserParts) => {
    const { tx, caller, body, at } = call;
    const { name } = body;
    if (typeof name !== 'string') return await userDetail(tx, caller.user, parts);
    await signIn.names.assertFree(tx, name, { exceptId: caller.user.id, at });
    return await userDetail(tx, await changeUser(call, caller.user, { values: { name } }), parts);
  },
);
