import { embedOperations } from 'confab-contract/embeds.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { renderEmbed } from './embed-json.ts';
import { insertEmbed, ownEmbed } from './embeds.store.ts';
import { type EmbedSource, type Fetched, nothingToShow, reuseMs } from './embeds.ts';

type Parts = { readonly embeds: EmbedSource; readonly clock: Clock };

/** Fetches an address and creates an embed of it; for a day the same caller gets the same embed again. */
export const createEmbed = handler(
  embedOperations.createEmbed,
  (input, _call, { embeds }: Parts) => input.read({ url: embeds.readAddress }),
  async ({ db, caller, body }, { embeds, clock }: Parts) => {
    const { original: originalUrl, url } = body.url;
    if (url === undefined) throw nothingToShow();
    return await embeds.use(
      url,
      caller.user.id,
      async (fetched) =>
        await db.write((tx) =>
          keep({ tx, caller, at: clock.now() }, { url: url.href, originalUrl, ...fetched }),
        ),
    );
  },
);

async function keep(
  { tx, caller, at }: { tx: Tx; caller: Principal; at: UnixMs },
  { url, originalUrl, content, fetchedAt }: Fetched & { url: string; originalUrl: string },
): Promise<Json> {
  const userId = caller.user.id;
  const own = await tx.get(ownEmbed, { url, originalUrl, userId, since: at - reuseMs });
  if (own !== undefined) return renderEmbed(own);
  const row = { url, originalUrl, content, createdAt: at, createdById: userId };
  const id = await tx.insert(insertEmbed, { ...row, fetchedAt });
  const embed = renderEmbed({ ...row, id });
  await append(tx, {
    action: 'embed_created',
    actor: actorOf(caller),
    appId: null,
    userId,
    entity: { id, json: embed },
    at,
  });
  return embed;
}
