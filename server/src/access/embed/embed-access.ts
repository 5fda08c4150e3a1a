import { notFound } from 'confab-contract/problem.ts';
import type { Read } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { idOf, isOwnedBy, type Lookup } from '../lookup.ts';
import type { EmbedRow } from './embed.sql.ts';
import { embedById } from './embed-access.store.ts';

declare const readable: unique symbol;

/**
 * An embed that the caller may see by its id and put into an entry: their own, or any with an API key. The embeds of
 * others are visible inside the entries that use them.
 */
export type ReadableEmbed = { readonly embed: EmbedRow; readonly [readable]: true };

/** The embed with an id, if the caller may see it by its id. */
export async function findEmbed(
  read: Pick<Read, 'get'>,
  caller: Principal,
  id: number,
): Promise<ReadableEmbed | undefined> {
  const embed = await read.get(embedById, { id });
  return embed !== undefined && isOwnedBy(caller, embed) ? ({ embed } as ReadableEmbed) : undefined;
}

/** The right on embeds; it throws `not_found`. */
export const embedAccess = {
  async read({ read, caller, ref }: Lookup): Promise<ReadableEmbed> {
    const embed = await findEmbed(read, caller, idOf(ref));
    if (embed === undefined) throw notFound('embed');
    return embed;
  },
};
