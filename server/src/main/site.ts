import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { openSiteBook, type SiteBook } from '../features/site/site-book.ts';
import type { Log } from '../kernel/log.ts';
import { givenSite } from '../setup/site.ts';
import { startLoop } from '../workers/runner.ts';

/** How often each of several nodes checks for a changed site whose notice it missed, in milliseconds. */
const lookMs = 5000;

/** Opens the site of a node, which follows what other nodes change. */
export async function startSite(
  {
    config,
    log,
    started,
  }: {
    readonly config: Config;
    readonly log: Log;
    readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  },
  { db }: { readonly db: Db },
): Promise<SiteBook> {
  const onError = (error: unknown) => log.error({ err: error }, 'the site could not be read');
  const book = await openSiteBook(db, { given: givenSite(config), onError });
  const look = startLoop({
    name: 'site',
    log,
    async step() {
      await book.look();
      return db.peers === undefined ? undefined : lookMs;
    },
  });
  started.push({ name: 'the site', stop: () => look.stop() });
  return book;
}
