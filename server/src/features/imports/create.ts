import { limits } from 'confab-contract/fields.ts';
import { importOperations } from 'confab-contract/imports.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { handler } from '../../binding/handler.ts';
import { append } from '../../events/events.ts';
import { findUpload, useBlobs } from '../blobs/blobs.ts';
import { actorOf } from '../users/user-json.ts';
import { insertRun } from './import-runs.store.ts';
import { getRun, nothingMade, renderRun } from './import-runs.ts';

/** Takes an uploaded export, which the loop of imports reads. */
export const createImport = handler(importOperations.createImport, async ({ tx, caller, body, at }) => {
  if (body.site !== undefined && pageUid(body.site) === undefined)
    throw invalidField('/site', 'invalid', 'must be an http or https address');
  const pointerOf = () => '/blob_id';
  const names = await useBlobs(tx, caller, {
    ids: [body.blob_id],
    appId: null,
    pointerOf,
    at,
    bytesMax: limits.importBytesMax,
  });
  const upload = await findUpload(tx, body.blob_id);
  if (upload === undefined)
    throw invalidField('/blob_id', 'invalid', 'must be an upload, not a file kept elsewhere');
  const id = await tx.insert(insertRun, {
    kind: body.kind,
    name: names.get(body.blob_id) ?? '',
    blobId: body.blob_id,
    keepsEmails: body.keeps_emails === true ? 1 : 0,
    replies: body.replies ?? 'thread',
    site: body.site ?? null,
    state: 'reading',
    planned: null,
    made: JSON.stringify(nothingMade),
    createdAt: at,
    apiKeyId: caller.apiKeyId ?? null,
    startedAt: null,
    finishedAt: null,
  });
  const shown = renderRun(await getRun(tx, id));
  const entity = { id, json: shown };
  await append(tx, { action: 'import_created', actor: actorOf(caller), appId: null, entity, at });
  tx.wake('imports');
  return shown;
});
