import { timestamp } from 'confab-contract/values/time.ts';
import type { EmbedRow } from '../../access/embed/embed.sql.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { safeAddress } from '../../kernel/web-address.ts';
import { embedFields } from '../../second-form/shapes/embed.ts';
import { embedsByIds } from './embeds.store.ts';

/** An embed as clients see it. */
export function renderEmbed(embed: EmbedRow, { form }: Pick<Principal, 'form'>): Json {
  const { content, actions } = embed;
  const url = safeAddress(embed.originalUrl);
  const fields = form === undefined ? content.slice(1, -1) : embedFields({ content, url, actions });
  return json(
    `{"id":${embed.id},"created_at":"${timestamp(embed.createdAt)}","created_by_id":${embed.createdById},` +
      // Rows written by 0.1.0 have the address as it was typed.
      `"original_url":${jsonString(url)},${fields}}`,
  );
}

/** Rendered embeds by id; one statement for any number of them, none for an empty list. */
export async function renderedEmbeds(
  read: Read,
  caller: Pick<Principal, 'form'>,
  ids: readonly number[],
): Promise<Map<number, Json>> {
  if (ids.length === 0) return new Map();
  const rows = await read.all(embedsByIds, { ids });
  return new Map(rows.map((row) => [row.id, renderEmbed(row, caller)]));
}
