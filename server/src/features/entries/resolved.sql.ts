import { type RawBuilder, sql } from 'kysely';

/**
 * The shown comments of `entries` that began a thread which is resolved, or is not, in the words of the indexes of migration
 * 49, so that the engines recognise that an index covers them.
 */
export function isResolvedThread(resolved: boolean): RawBuilder<boolean> {
  return resolved
    ? sql<boolean>`entries.resolved_at is not null and entries.trashed_at is null`
    : sql<boolean>`entries.root_id is null and entries.kind <> 'post' and entries.kind <> 'message'
        and entries.resolved_at is null and entries.trashed_at is null`;
}
