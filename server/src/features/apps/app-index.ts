import { isGeneratedUid } from '../../access/generated-uid.ts';
import { searchWords } from '../../kernel/search.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import { visibleText } from '../../kernel/unseen.ts';
import type { AppValues } from './apps.store.ts';

/** The words by which a search finds an app. */
export function appWords({
  uid,
  name,
  description,
}: Pick<AppValues, 'uid' | 'name' | 'description'>): string {
  return searchWords(isGeneratedUid(uid) ? null : uid, name, description);
}

/** The keys by which lists sort an app by its names. */
export function appKeys({
  uid,
  name,
}: Pick<AppValues, 'uid' | 'name'>): Pick<AppValues, 'nameKey' | 'displayNameKey'> {
  const visible = visibleText(name);
  return { nameKey: visible === null ? '' : sortKey(visible), displayNameKey: sortKey(visible ?? uid) };
}
