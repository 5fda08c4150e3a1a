import type { NeededScope } from 'confab-contract/scopes.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  allKeys,
  anyKey,
  endKey,
  insertKey,
  keyById,
  newestKeys,
  noteKeyUse,
  revokeKey,
} from './credentials.store.ts';
import { hashSecret, kindOfSecret, makeSecret } from './secret-text.ts';

/** A key as an operator sees it; the secret itself is kept nowhere. Times are Unix milliseconds. */
export type KeyInfo = {
  readonly id: number;
  readonly name: string;
  /** The last four characters. */
  readonly hint: string;
  /** Comma-separated. */
  readonly scopes: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** To the minute; null for a key that was never used, or not since this is noted. */
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
};

/** The limits of a key: all scopes and no end when absent. The end is in Unix milliseconds. */
export type KeyLimits = { readonly scopes?: readonly NeededScope[]; readonly expiresAt?: number | null };

/** The newest keys, at most `top`, the newest first. */
export async function listLastKeys(read: Read, top: number): Promise<KeyInfo[]> {
  return await read.all(newestKeys, { top });
}

/** A key, also one that was revoked. */
export async function findKey(read: Read, id: number): Promise<KeyInfo | undefined> {
  return await read.get(keyById, { id });
}

/** Ends a key at `until`: at once if that is now, and never later than it would end anyway. Times are Unix milliseconds. */
export async function endKeyAt(
  tx: Tx,
  id: number,
  { until, at }: { readonly until: UnixMs; readonly at: UnixMs },
): Promise<void> {
  if (until <= at) await tx.run(revokeKey, { id, at });
  else await tx.run(endKey, { id, expiresAt: until });
}

/** The properties of a new key. */
type KeyFacts = KeyLimits & { readonly name: string; readonly at: UnixMs };

const rowOf = (secret: string, { name, at, scopes, expiresAt = null }: KeyFacts) => ({
  hash: hashSecret(secret),
  name,
  hint: secret.slice(-4),
  scopes: scopes?.join() ?? 'all',
  expiresAt,
  at,
});

/** Adds a key. Its secret cannot be read again. */
export async function addKey(
  tx: Tx,
  facts: KeyFacts,
): Promise<{ readonly secret: string; readonly info: KeyInfo }> {
  const secret = makeSecret('key');
  const row = rowOf(secret, facts);
  const added = await tx.get(insertKey, row);
  if (added === undefined) throw new Error('a random key was made twice');
  const { name, hint, scopes, expiresAt, at: createdAt } = row;
  const info = { id: added.id, name, hint, scopes, createdAt, expiresAt, lastUsedAt: null, revokedAt: null };
  return { secret, info };
}

/** The API keys of a server, for its start and for commands. */
export type Keys = ReturnType<typeof createKeys>;

/** Makes the part that creates, lists and revokes API keys. */
export function createKeys({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Creates a key and returns its secret, which cannot be read again. */
    async create(name: string, limits?: KeyLimits): Promise<string> {
      const { secret } = await db.write((tx) => addKey(tx, { ...limits, name, at: clock.now() }));
      return secret;
    },

    /** Accepts a key that the operator chose; throws an Error when it does not have the form of a key. */
    async accept(secret: string): Promise<void> {
      if (kindOfSecret(secret) !== 'key')
        throw new Error('CONFAB_API_KEY is not an API key: make one with `confab key create`');
      const facts = { name: 'CONFAB_API_KEY', at: clock.now() };
      await db.write((tx) => tx.get(insertKey, rowOf(secret, facts)));
    },

    /** Creates the first key of a store, or returns undefined when there is a key that is not revoked. */
    async createFirst(): Promise<string | undefined> {
      return await db.write(async (tx) => {
        if ((await tx.get(anyKey, {})) !== undefined) return undefined;
        return (await addKey(tx, { name: 'first', at: clock.now() })).secret;
      });
    },

    list: async (): Promise<KeyInfo[]> => await db.read.all(allKeys, {}),

    /** Revokes a key; returns whether there was one to revoke. */
    revoke: async (id: number): Promise<boolean> =>
      (await db.write((tx) => tx.changed(revokeKey, { id, at: clock.now() }))) > 0,
  };
}

const minuteMs = 60_000;
/** The most keys whose use one transaction notes. */
const usesMax = 100;

/** Makes the part that notes when keys were used, to the minute: one write a minute, however many requests there are. */
export function createKeyUses({ db, clock }: { db: Db; clock: Clock }) {
  const stored = new Map<number, number>();
  const fresh = new Map<number, number>();
  return {
    /** Notes that a key is used now; returns whether there is something to store. */
    note(keyId: number): boolean {
      const at = clock.now();
      const minute = at - (at % minuteMs);
      const isFresh = stored.get(keyId) !== minute;
      if (isFresh) fresh.set(keyId, minute);
      return isFresh;
    },
    /** Stores what is noted, at most 100 keys at a time; returns whether there is more. */
    async write(): Promise<boolean> {
      const batch = [...fresh].slice(0, usesMax);
      if (batch.length === 0) return false;
      await db.write(async (tx) => {
        for (const [keyId, at] of batch) await tx.run(noteKeyUse, { keyId, at });
      });
      for (const [keyId, at] of batch) {
        stored.set(keyId, at);
        if (fresh.get(keyId) === at) fresh.delete(keyId);
      }
      return fresh.size > 0;
    },
  };
}
