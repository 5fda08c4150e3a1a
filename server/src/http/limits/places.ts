import { Problem } from 'confab-contract/problem.ts';
import type { ClientLimits } from './client-limits.ts';

/**
 * The places for streams of clients without a credential. They are few for each address, and one line has many addresses:
 * of IPv6 a household usually has 256 networks of 64 bits and an office 65,536 of them (RFC 6177). So the wider networks
 * have a number of places too. It is several times that of an address, because a carrier gives many phones a network each
 * out of one of 48 bits.
 */
const wider = [
  { bits: 56, times: 4 },
  { bits: 48, times: 20 },
] as const;

/** When a visitor may ask for a place again. */
const retrySeconds = 60;

/** Creates the places of a node, all of them free. An address is as `AddressOf` spells it; undefined counts for all alone. */
export function createPlaces({
  visitorWatchesMax: max,
  visitorWatchesPerAddressMax: perAddressMax,
}: Pick<ClientLimits, 'visitorWatchesMax' | 'visitorWatchesPerAddressMax'>) {
  const counts = new Map<string, number>();
  let all = 0;

  /** The networks that a client counts in, with how many places each has. */
  function networksOf(address: string | undefined): { readonly name: string; readonly placesMax: number }[] {
    if (address === undefined) return [];
    const own = { name: address, placesMax: perAddressMax };
    if (!address.includes(':')) return [own];
    return [
      own,
      ...wider.map(({ bits, times }) => ({
        name: prefixOf(address, bits),
        placesMax: perAddressMax * times,
      })),
    ];
  }

  return {
    /** Throws `too_many_connections` where the client has no place. Call it in the turn that takes one. */
    assertFree(address: string | undefined): void {
      const full = networksOf(address).find(({ name, placesMax }) => (counts.get(name) ?? 0) >= placesMax);
      if (full === undefined && all < max) return;
      throw new Problem(
        'too_many_connections',
        full === undefined
          ? 'Too many clients without a credential watch apps. Read the app again after the pause.'
          : `Without a credential, an address watches at most ${perAddressMax} apps at a time, and a wider network some more. Read the app again after the pause.`,
        { headers: { 'retry-after': String(retrySeconds) } },
      );
    },

    /** Takes a place (1), or gives it back (-1). */
    count(address: string | undefined, by: 1 | -1): void {
      all += by;
      for (const { name } of networksOf(address)) {
        const sum = (counts.get(name) ?? 0) + by;
        if (sum === 0) counts.delete(name);
        else counts.set(name, sum);
      }
    },
  };
}

/** The first bits of the four groups of an address, at least 48 of them, as a name that no address has. */
function prefixOf(address: string, bits: 48 | 56): string {
  const groups = address.split(':');
  const rest = bits === 48 ? '' : (Number.parseInt(groups[3] ?? '0', 16) >> 8).toString(16);
  return `${groups.slice(0, 3).join(':')}:${rest}/${bits}`;
}
