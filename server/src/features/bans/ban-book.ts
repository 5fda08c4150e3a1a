import { Problem } from 'confab-contract/problem.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Bans } from '../../kernel/bans.ts';
import type { Clock } from '../../kernel/clock.ts';
import { networkOfClient, networksAround } from '../../net/networks.ts';
import { bansInForce } from './bans.store.ts';

/**
 * The bans that a node knows. They are read once and remembered until the node hears of a change; one that hears nothing
 * finds a change by looking (`BanBook.look`). While there are none, a request costs a comparison.
 */
export type BanBook = Bans & {
  /** Reads the bans again, for nodes that heard nothing of a change. */
  look(): Promise<void>;
};

/** The ends of bans by their networks. */
type Known = ReadonlyMap<string, UnixMs>;

/** Creates the book of a node. It reads nothing before the first use. */
export function createBanBook({ db, clock }: { readonly db: Db; readonly clock: Clock }): BanBook {
  let known: Known | undefined;
  let changes = 0;
  db.onCommit('bans', () => {
    changes += 1;
    known = undefined;
  });

  async function read(): Promise<Known> {
    for (;;) {
      const before = changes;
      const rows = await db.read.all(bansInForce, { now: clock.now() });
      if (before !== changes) continue;
      known = new Map(rows.map(({ address, expiresAt }) => [address, expiresAt]));
      return known;
    }
  }

  return {
    assertFree(address) {
      if (address === undefined) return undefined;
      if (known === undefined) return read().then((bans) => refuse(bans, address, clock.now()));
      if (known.size > 0) refuse(known, address, clock.now());
      return undefined;
    },
    look: async () => void (await read()),
  };
}

/** Throws `address_banned` for a client in a network whose ban is not over; of several, until the last one is. */
function refuse(bans: Known, client: string, now: UnixMs): void {
  if (bans.size === 0) return;
  const until = Math.max(...networksAround(networkOfClient(client)).map((each) => bans.get(each) ?? 0));
  if (until > now)
    throw new Problem(
      'address_banned',
      `Visitors from this address can only read until ${timestamp(until)}.`,
    );
}
