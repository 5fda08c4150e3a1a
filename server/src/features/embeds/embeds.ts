import { invalidField, Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { safeAddress } from '../../kernel/web-address.ts';
import { type OnRefused, urlRefusal } from '../../net/refusals.ts';
import type { EgressRules } from '../../net/rules.ts';
import { checkTarget } from '../../net/target.ts';
import type { EmbedFetch } from './embed-fetch.ts';
import { latestFetch } from './embeds.store.ts';

/** Embeds show, below an entry that links to a page on the web, the title, text and picture that the page declares. */

/** How long fetched content is reused, for all users, in milliseconds: pages seldom change it. */
export const reuseMs = 24 * 3_600_000;

/** Fetched content, rendered, with the time of the fetch. */
export type Fetched = { readonly content: string; readonly fetchedAt: UnixMs };

/**
 * An address to embed: the one that is shown, and the one that is fetched, undefined when the server may not call it.
 */
export type EmbedAddress = { readonly original: string; readonly url: URL | undefined };

/** Reads and fetches addresses to embed. */
export type EmbedSource = {
  /** Throws `validation_failed`. */
  readAddress(input: string): EmbedAddress;
  /** An address that clients lead to or show, and nobody fetches. Throws `validation_failed` with the pointer. */
  readLink(input: string, pointer: string): string;
  /**
   * Calls `keep` with the content of an address: from the store, from a fetch that another request has started, or
   * fetched now. Throws `embed_failed`. The fetch is shared until the first `keep` ends, so that nothing is fetched
   * twice before it is stored.
   */
  use<T>(url: URL, callerId: number, keep: (fetched: Fetched) => Promise<T>): Promise<T>;
};

/** The error of every address with nothing to show. A reason would reveal what is behind an internal address. */
export function nothingToShow(): Problem {
  return new Problem('embed_failed', 'Nothing that could be shown was found at this address.');
}

const wrongAddress =
  'must be an absolute http or https address without user name, space or control character';

/** Creates the source. Requests to addresses that `rules` forbid are reported to `onRefused`. */
export function createEmbedSource({
  db,
  clock,
  rules,
  onRefused,
  fetchEmbed,
}: {
  db: Db;
  clock: Clock;
  rules: EgressRules;
  onRefused: OnRefused;
  fetchEmbed: EmbedFetch;
}): EmbedSource {
  const underWay = new Map<string, Promise<Fetched>>();

  async function contentOf(url: URL, callerId: number): Promise<Fetched> {
    const known = await db.read.get(latestFetch, { url: url.href, since: clock.now() - reuseMs });
    if (known !== undefined) return known;
    const content = await fetchEmbed(url, callerId);
    if (content === undefined) throw nothingToShow();
    return { content: JSON.stringify(content), fetchedAt: clock.now() };
  }

  return {
    readAddress(input) {
      const typed = input.trim();
      const original = safeAddress(typed);
      const address = typed.replace(/#.*$/s, '');
      const target = checkTarget(address, rules);
      if (target.ok) return { original, url: target.url };
      const refusal = urlRefusal(address, target.code);
      if (refusal !== undefined) {
        onRefused(refusal);
        return { original, url: undefined };
      }
      throw invalidField('/url', target.code, wrongAddress);
    },

    readLink(input, pointer) {
      const typed = input.trim();
      const target = checkTarget(typed.replace(/#.*$/s, ''), rules);
      if (!target.ok) throw invalidField(pointer, target.code, wrongAddress);
      return safeAddress(typed);
    },

    async use(url, callerId, keep) {
      const shared = underWay.get(url.href);
      const fetching = shared ?? contentOf(url, callerId);
      if (shared === undefined) underWay.set(url.href, fetching);
      try {
        return await keep(await fetching);
      } finally {
        if (shared === undefined) underWay.delete(url.href);
      }
    },
  };
}
