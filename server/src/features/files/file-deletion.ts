import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { countIn } from '../../access/held.ts';
import type { Tx } from '../../db/db.ts';
import { fileIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import { json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { tallyOf } from './file-count.ts';
import { removeFiles } from './file-removal.ts';

/** A file of an app that is deleted by the server itself. */
export type DeletedFile = {
  readonly id: number;
  readonly appId: number;
  readonly blobId: number;
  readonly version: number;
  readonly createdById: number;
  readonly createdAt: number;
  readonly trashedAt: number | null;
  readonly heldAt: number | null;
};

/** Deletes a file of an app with its versions and comments; the event has it without its name. */
export async function deleteWithEvent(
  tx: Tx,
  file: DeletedFile,
  { caller, at }: { readonly caller: Pick<Principal, 'user' | 'apiKeyId'>; readonly at: UnixMs },
): Promise<void> {
  const { id, appId } = file;
  await removeFiles(tx, [file], at);
  tx.defer(fileIndex, { id, words: null });
  const { live, trashed } = countIn(file);
  await changeCount(tx, tallyOf(appId), { live: -live, trashed: -trashed });
  const entity = { id, json: namelessFile(file) };
  await append(tx, { action: 'file_deleted', actor: actorOf(caller), appId, entity, at });
}

function namelessFile({ id, appId, version, createdAt, createdById, trashedAt }: DeletedFile) {
  return json(
    `{"id":${id},"parent":{"id":${appId},"type":"app"},"app_id":${appId},"version":${version},"name":"",` +
      `"kind":"file","media_type":"application/octet-stream","size":0,"tags":[],"preview_format":"none",` +
      `"created_at":"${timestamp(createdAt)}","created_by_id":${createdById},"comment_count":0,` +
      `"comments":[],"is_subscribed":false,"is_trashed":${trashedAt !== null}}`,
  );
}
