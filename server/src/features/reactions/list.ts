import { reactionOperations } from 'confab-contract/reactions.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { matchesNothing } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { envelope, type PageAnswer } from '../../kernel/page.ts';
import { emojiOf } from './emoji.ts';
import { reactionDetails } from './reaction-json.ts';
import { countsByContent, reactionList } from './reactions.store.ts';

type ReactionList = Omit<Call<typeof reactionOperations.listCommentReactions>, 'on'> & {
  readonly on: ReadableEntry;
};

async function list(call: ReactionList): Promise<PageAnswer> {
  const { read, on, list, query } = call;
  const content = query.content === undefined ? undefined : emojiOf(query.content);
  // Text that is not an emoji matches none.
  const isNone = query.content !== undefined && content === undefined;
  if (isNone || matchesNothing(list)) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { rows, count, next } = await readList(read, reactionList, {
    list,
    settings: { hasContent: content !== undefined },
    parameters: { entryId: on.entry.id, content: content ?? '' },
    storedCount: () => countReactions(read, on.entry, content),
  });
  return envelope(list, { items: await reactionDetails(call, rows), count, next });
}

/** The stored count of all reactions, or the number with one emoji, counted in an index. */
async function countReactions(read: Read, entry: EntryRow, content: string | undefined): Promise<number> {
  if (content === undefined) return entry.reactionCount;
  const counts = await read.all(countsByContent, { entryId: entry.id });
  return counts.find((row) => row.content === content)?.count ?? 0;
}

/** The reactions to a comment. */
export const listCommentReactions = handler(reactionOperations.listCommentReactions, list);
/** The reactions to a post. */
export const listPostReactions = handler(reactionOperations.listPostReactions, list);
/** The reactions to a message. */
export const listMessageReactions = handler(reactionOperations.listMessageReactions, list);
