import type { AppPatch, AppType } from '../../contract/apps.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Tx } from '../../db/db.ts';
import { parseId } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { isContextual, readAppType } from './app-types.ts';
import { directoryOfApp } from './apps.store.ts';

/** Fields of an app that a request brings, prepared; absent leaves a field and null clears it. */
export type Change = {
  uid?: string;
  access?: string;
  directory?: string | null;
  name?: string | null;
  description?: string | null;
  metadata?: string | null;
  tags?: string[];
};

/** What a request that makes an app if need be wants of it. */
export type Wanted = {
  readonly type: AppType;
  readonly change: Change;
  /** Whether the app is made as a page. */
  readonly isPage?: boolean;
};

/** The readers of the fields that an app is changed with. */
export const changeReaders = { tags: normaliseTags } as const;

/** The readers of the fields that an app is made with. */
export const appReaders = { type: readAppType, ...changeReaders } as const;

/** What a body with fields that were read wants of an app. */
export function prepareApp({ type, ...fields }: Clearable<AppPatch> & { type: AppType }): Wanted {
  return { type, change: prepareChange(fields) };
}

/** What a body with fields that were read changes of an app. */
export function prepareChange(sent: Clearable<AppPatch>): Change {
  return {
    ...(sent.uid === undefined || sent.uid === null ? {} : { uid: sent.uid }),
    ...(sent.access === undefined ? {} : { access: sent.access ?? 'none' }),
    ...(sent.directory === undefined ? {} : { directory: sent.directory }),
    ...(sent.name === undefined ? {} : { name: sent.name }),
    ...(sent.description === undefined ? {} : { description: sent.description }),
    ...(sent.metadata === undefined
      ? {}
      : { metadata: sent.metadata === null ? null : JSON.stringify(sent.metadata) }),
    ...(sent.tags === undefined ? {} : { tags: sent.tags ?? [] }),
  };
}

/** The directory that a body names: its id, null for none, or `absent` for one that there is not. */
export async function findDirectory(tx: Tx, sent: string | null): Promise<number | null | 'absent'> {
  if (sent === null) return null;
  return (await tx.get(directoryOfApp, { id: parseId(sent) ?? 0, name: sent }))?.id ?? 'absent';
}

/**
 * The directory that an app is to be open to. A user can name their own and the one that the app is open to already; any
 * other name is `directory_forbidden`, whether or not there is such a directory. Throws `validation_failed` for a key
 * that names none.
 */
export function usableDirectory(
  principal: Principal,
  wanted: number | null | 'absent',
  present: number | null,
): number | null {
  const isOwn = wanted === null || wanted === principal.user.directoryId || wanted === present;
  if (principal.kind === 'token' && !isOwn)
    throw new Problem('directory_forbidden', 'You may open an app to your own directory only.');
  if (wanted === 'absent') throw invalidField('/directory', 'not_found', 'names no directory');
  return wanted;
}

/**
 * Whether the body of a PUT that opens a page asks for one: its type is contextual, and it has no other value but at
 * most the uid that is in the path as well.
 */
export function asksForPage(
  uid: string,
  { type, ...others }: Clearable<AppPatch> & { type: AppType },
): boolean {
  const isBare = Object.entries(others).every(
    ([name, value]) => value === null || (name === 'uid' && value === uid),
  );
  return isBare && isContextual(type);
}
