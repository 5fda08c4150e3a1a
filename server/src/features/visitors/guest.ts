import { signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { userReaders } from '../users/user-change.ts';
import { joiningAs, readName } from './visitor-names.ts';
import { continueSession } from './visitor-sessions.ts';
import { makeVisitor } from './visitors.ts';
import { assertWay, type SignInParts } from './ways.ts';

/** Signs a guest in: somebody of whom nothing is known but a name, so everyone is a new visitor. */
export const signInAsGuest = handler(
  signingInOperations.signInAsGuest,
  async ({ db, body: input, at, raw }, { signIn }: SignInParts) => {
    const { name, email, puzzle } = input.read({ name: readName, email: userReaders.email }).valid();
    assertWay(signIn, 'guest');
    const useUp = await signIn.puzzles()?.check(puzzle);
    await signIn.names.screen(name);
    return await db.write(async (tx) => {
      const used = useUp === undefined ? [] : [useUp(tx)];
      const checks = [...used, signIn.names.assertFree(tx, name, { exceptId: 0, at })];
      const values = { name, email: email ?? null, way: 'guest' };
      const visitor = await makeVisitor({ tx, at }, values, checks);
      return await continueSession({ tx, at, address: raw.clientAddress }, visitor);
    }, joiningAs(name));
  },
);
