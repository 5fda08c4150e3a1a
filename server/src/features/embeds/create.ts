import { embedOperations } from 'confab-contract/embeds.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import type { Db, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { renderEmbed } from './embed-json.ts';
import { insertEmbed, ownEmbed } from './embeds.store.ts';
import { type EmbedAddress, type EmbedSource, nothingToShow, reuseMs } from './embeds.ts';
import type { MadeEmbed } from './make.ts';

/** What fetching and storing embeds needs. */
export type EmbedParts = { readonly embeds: EmbedSource; readonly clock: Clock };

/** Fetches an address and creates an embed of it; for a day the same caller gets the same embed again. */
export const createEmbed = handler(
  embedOperations.createEmbed,
  (input, _call, { embeds }: EmbedParts) => input.read({ url: embeds.readAddress }),
  async ({ db, caller, body }, parts: EmbedParts) => await embedOf({ db, caller }, body.url, parts),
);

/** An embed of the page or picture at an address. Throws `embed_failed`. */
export async function embedOf(
  { db, caller }: { readonly db: Db; readonly caller: Principal },
  { original: originalUrl, url }: EmbedAddress,
  { embeds, clock }: EmbedParts,
): Promise<Json> {
  if (url === undefined) throw nothingToShow();
  return await embeds.use(url, caller.user.id, async ({ content, fetchedAt }) =>
    db.write(async (tx) => {
      const at = clock.now();
      const userId = caller.user.id;
      const own = await tx.get(ownEmbed, { url: url.href, originalUrl, userId, since: at - reuseMs });
      if (own !== undefined) return renderEmbed(own, caller);
      return await insert(
        { tx, caller, at },
        { url: url.href, originalUrl, content, actions: null, fetchedAt },
      );
    }),
  );
}

/** Stores an embed that a client describes. */
export async function keepMade(
  { db, caller }: { readonly db: Db; readonly caller: Principal },
  made: MadeEmbed,
  { clock }: EmbedParts,
): Promise<Json> {
  // Without an address and a time of fetching, no request for an address finds it.
  const row = { ...made, url: '', fetchedAt: 0 };
  return await db.write((tx) => insert({ tx, caller, at: clock.now() }, row));
}

async function insert(
  { tx, caller, at }: { tx: Tx; caller: Principal; at: UnixMs },
  { fetchedAt, ...made }: MadeEmbed & { readonly url: string; readonly fetchedAt: number },
): Promise<Json> {
  const row = { ...made, createdAt: at, createdById: caller.user.id };
  const id = await tx.insert(insertEmbed, { ...row, fetchedAt });
  await append(tx, {
    action: 'embed_created',
    actor: actorOf(caller),
    appId: null,
    userId: caller.user.id,
    entity: { id, json: renderEmbed({ ...row, id }, {}) },
    at,
  });
  return renderEmbed({ ...row, id }, caller);
}
