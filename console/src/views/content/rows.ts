import type { ReportItem, User } from 'confab-client';
import { beginningOf } from '../../beginning.ts';
import type { Target } from './bulk.ts';
import { type Item, type Kind, kindOf } from './kinds.ts';

/** A line of a list of content. */
export type Row = Target & {
  readonly appId: number;
  readonly beginning: string;
  readonly author: Pick<User, 'uid' | 'display_name'> | undefined;
  readonly at: string;
  readonly is_trashed: boolean;
  readonly is_held: boolean;
  readonly lockedAt: string | undefined;
};

const beginningCharacters = 160;

/** How an item begins, in one line: its text without markup, or the name of a file. */
function wordsOf(item: Item): string {
  const text = 'name' in item ? item.name : (item.plain ?? '');
  return text.length > beginningCharacters ? `${beginningOf(text, beginningCharacters)} …` : text;
}

/** The line of an item. */
export function rowOfItem(kind: Kind, item: Item): Row {
  return {
    kind,
    id: item.id,
    appId: item.app_id,
    beginning: wordsOf(item),
    author: item.created_by,
    at: item.created_at,
    is_trashed: item.is_trashed,
    is_held: item.is_held === true,
    lockedAt: 'locked_at' in item ? item.locked_at : undefined,
  };
}

/** The line of an item that is held, which only its report lists. */
export function rowOfReport({ entity, app_id, snapshot, author, created_at }: ReportItem): Row {
  return {
    kind: kindOf(entity.type) ?? 'comments',
    id: entity.id,
    appId: app_id,
    beginning: beginningOf(snapshot?.name ?? snapshot?.text ?? '', beginningCharacters),
    author,
    at: snapshot?.created_at ?? created_at,
    is_trashed: false,
    is_held: true,
    lockedAt: undefined,
  };
}

/** The name of a row among those of all kinds. */
export function keyOfRow({ kind, id }: Target): string {
  return `${kind} ${id}`;
}
