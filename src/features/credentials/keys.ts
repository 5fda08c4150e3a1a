import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { allKeys, anyKey, insertKey, revokeKey } from './credentials.store.ts';
import { hashSecret, kindOfSecret, makeSecret } from './secret-text.ts';

/** A key as an operator sees it; the secret itself is kept nowhere. Times are Unix milliseconds. */
export type KeyInfo = {
  readonly id: number;
  readonly name: string;
  /** The last four characters. */
  readonly hint: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
};

/** The API keys of a server, for its start and for commands. */
export type Keys = ReturnType<typeof createKeys>;

/** Makes the part that creates, lists and revokes API keys. */
export function createKeys({ db, clock }: { db: Db; clock: Clock }) {
  const rowOf = (secret: string, name: string) => ({
    hash: hashSecret(secret),
    name,
    hint: secret.slice(-4),
    at: clock.now(),
  });

  return {
    /** Creates a key and returns its secret, which cannot be read again. */
    async create(name: string): Promise<string> {
      const secret = makeSecret('key');
      await db.write((tx) => tx.get(insertKey, rowOf(secret, name)));
      return secret;
    },

    /** Accepts a key that the operator chose; throws an Error when it does not have the form of a key. */
    async accept(secret: string): Promise<void> {
      if (kindOfSecret(secret) !== 'key')
        throw new Error('CONFAB_API_KEY is not an API key: make one with `confab key create`');
      await db.write((tx) => tx.get(insertKey, rowOf(secret, 'CONFAB_API_KEY')));
    },

    /** Creates the first key of a store, or returns undefined when there is a key that is not revoked. */
    async createFirst(): Promise<string | undefined> {
      const secret = makeSecret('key');
      return await db.write(async (tx) => {
        if ((await tx.get(anyKey, {})) !== undefined) return undefined;
        await tx.get(insertKey, rowOf(secret, 'first'));
        return secret;
      });
    },

    list: async (): Promise<KeyInfo[]> => await db.read.all(allKeys, {}),

    /** Revokes a key; returns whether there was one to revoke. */
    revoke: async (id: number): Promise<boolean> =>
      (await db.write((tx) => tx.run(revokeKey, { id, at: clock.now() }))) > 0,
  };
}
