import { limits } from 'confab-contract/fields.ts';
import type { Supply } from './bodies.ts';
import type { Pages } from './pages.ts';
import { me, type Preparation, sizes } from './world.ts';

/** Makes what bodies need, on behalf of the user whose requests are measured. */
export function supplyOf(preparation: Preparation, pages: Pages): Supply {
  let [uids, colleagues] = [0, 0];
  const idOf = async (path: string, body: object) =>
    Number((await preparation.call('POST', path, body, me)).id);
  const link = 'https://files.example.com/a';
  return {
    blobs: async (count) =>
      await Promise.all(
        Array.from({ length: count }, () =>
          idOf('/api/blobs/external', { provider: 'p', link, name: 'a.txt' }),
        ),
      ),
    embed: () => idOf('/api/embeds', { url: pages.freshUrl('a page of meta elements') }),
    meeting: () => idOf('/api/meetings', { provider: 'jitsi' }),
    pageUrl: () => pages.freshUrl('a page of opening tags'),
    freshUid: () => {
      uids += 1;
      return `fresh-${uids}`.padEnd(256, 'x');
    },
    colleague: (n) => {
      colleagues += n === 0 ? 1 : 0;
      return `colleague-${((n + colleagues * limits.membersMax) % sizes.colleagues) + 1}`;
    },
  };
}
