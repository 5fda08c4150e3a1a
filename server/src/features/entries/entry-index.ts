import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { Tx } from '../../db/db.ts';
import { entryIndex } from '../../db/search-index.ts';
import { searchWords } from '../../kernel/search.ts';
import { insertEntryTags } from './entries.store.ts';
import type { Content } from './entry-json.ts';

/** The words and tags by which lists find an entry. */

/** The scope word of the children of one parent in the search index; U+E000 cannot come from a user's text. */
export function scopeWord(kind: string, parentType: string, parentId: number): string {
  return `\uE000${kind}${parentType}${parentId}`;
}

/**
 * The search words of an entry: the words of its text, the scope word of its parent, and for a comment on a post or file
 * also the scope word of the app, whose list contains the comment.
 */
export function entryWords(
  {
    kind,
    appId,
    parentType,
    parentId,
  }: Pick<EntryRow, 'appId' | 'parentType' | 'parentId'> & { kind: string },
  content: Pick<Content, 'plain'>,
): string {
  const scope = scopeWord(kind, parentType, parentId);
  const ofApp = parentType === 'app' ? '' : `${scopeWord(kind, 'app', appId)} `;
  return `${scope} ${ofApp}${searchWords(content.plain)}`;
}

/** Writes the words and tags of an entry that has no tags yet. `isNew` is true when it has no words either. */
export async function indexEntry(
  tx: Tx,
  entry: EntryRow,
  { content, isNew }: { readonly content: Content; readonly isNew: boolean },
): Promise<void> {
  tx.defer(entryIndex, { id: entry.id, words: entryWords(entry, content), isNew });
  if (content.tags.length > 0)
    await tx.run(insertEntryTags, { id: entry.id, appId: entry.appId, tags: content.tags });
}
