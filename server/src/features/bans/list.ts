import { banOperations } from 'confab-contract/bans.ts';
import { handler } from '../../binding/handler.ts';
import { readList } from '../../db/list.ts';
import { envelope } from '../../kernel/page.ts';
import { banList } from './bans.store.ts';
import { renderBan } from './bans.ts';

/** The bans in force. */
export const listBans = handler(banOperations.listBans, async ({ read, list, at }) => {
  // Bans have neither words, tags nor a trash.
  if (list.trashed === true || list.tag !== undefined || list.q !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { rows, count, next } = await readList(read, banList, {
    list,
    settings: {},
    parameters: { now: at },
  });
  return envelope(list, { items: rows.map(renderBan), count, next });
});
