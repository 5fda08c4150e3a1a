import { invalidField } from 'confab-contract/problem.ts';
import { findEmbed } from '../../access/embed/embed-access.ts';
import { findMeeting } from '../../access/meeting/meeting-access.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { renderedEmbeds } from '../embeds/embed-json.ts';
import { renderedMeetings } from '../meetings/meetings.ts';
import type { ListedEntry } from './entries.sql.ts';
import type { Content } from './entry-json.ts';

/**
 * The embed and the meeting of an entry. Any number of entries may refer to the same one. Only the user who created it
 * may add it to an entry, and everyone who can see the entry can see it.
 */

/**
 * Throws `validation_failed` with the pointer of a reference that names no embed or meeting of the caller. A reference
 * that `before` already has may stay, because clients repeat it with each edit, even of another user's entry.
 */
export async function assertReferences(
  { tx, caller }: { readonly tx: Tx; readonly caller: Principal },
  after: Content,
  before: Partial<Content> = {},
): Promise<void> {
  const { embed_id: embed, meeting_id: meeting } = after;
  if (embed !== undefined && embed !== before.embed_id && (await findEmbed(tx, caller, embed)) === undefined)
    throw invalidField('/embed_id', 'not_found', 'names no embed of yours');
  if (
    meeting !== undefined &&
    meeting !== before.meeting_id &&
    (await findMeeting(tx, caller, meeting)) === undefined
  )
    throw invalidField('/meeting_id', 'not_found', 'names no meeting of yours');
}

/** The references as columns, for finding them without reading the content. */
export function referenceColumns(content: Content): { embedId: number | null; meetingId: number | null } {
  return { embedId: content.embed_id ?? null, meetingId: content.meeting_id ?? null };
}

type Referring = Pick<ListedEntry, 'embedId' | 'meetingId'>;

const withoutReferences = { embed: undefined, meeting: undefined };

/** Renders the embeds and meetings of some entries, those that `expand` names; at most one statement for each. */
export async function renderedReferences(
  { read, caller }: { readonly read: Read; readonly caller: Pick<Principal, 'form'> },
  entries: readonly Referring[],
  expand: ReadonlySet<string>,
): Promise<(entry: Referring) => { embed: Json | undefined; meeting: Json | undefined }> {
  const embedIds = expand.has('embed') ? entries.flatMap(({ embedId }) => embedId ?? []) : [];
  const meetingIds = expand.has('meeting') ? entries.flatMap(({ meetingId }) => meetingId ?? []) : [];
  if (embedIds.length === 0 && meetingIds.length === 0) return () => withoutReferences;
  const embeds = await renderedEmbeds(read, caller, embedIds);
  const meetings = await renderedMeetings(read, caller, meetingIds);
  return ({ embedId, meetingId }) => ({
    embed: embedId === null ? undefined : embeds.get(embedId),
    meeting: meetingId === null ? undefined : meetings.get(meetingId),
  });
}
