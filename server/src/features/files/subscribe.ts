import { fileOperations } from 'confab-contract/files.ts';
import { type ReadableFile, reloadedFile } from '../../access/file/file-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { subscribe, unsubscribe } from '../notifications/subscriptions.ts';
import { type FileChange, fileDetail, recordFile } from './file-view.ts';

/** Subscribes the caller to the notifications of a file; repeating it changes nothing. */
export const subscribeFile = handler(
  fileOperations.subscribeFile,
  async (call, { links }: { links: BlobLinks }) =>
    await setSubscribed({ ...call, links }, { isSubscribed: true }),
);

/** Ends the subscription of the caller. */
export const unsubscribeFile = handler(
  fileOperations.unsubscribeFile,
  async (call, { links }: { links: BlobLinks }) =>
    await setSubscribed({ ...call, links }, { isSubscribed: false }),
);

async function setSubscribed(
  change: FileChange & { readonly on: ReadableFile },
  { isSubscribed }: { isSubscribed: boolean },
): Promise<Json> {
  const { tx, caller, on } = change;
  const { file } = on;
  if ((file.isSubscribed === 1) === isSubscribed) return await fileDetail(tx, change, file);
  const subscription = { userId: caller.user.id, type: 'file', id: file.id };
  if (isSubscribed) await subscribe(tx, subscription);
  else await unsubscribe(tx, subscription);
  const changed = await reloadedFile(tx, caller, file.id);
  await recordFile(change, isSubscribed ? 'file_subscribed' : 'file_unsubscribed', changed);
  return await fileDetail(tx, change, changed);
}
