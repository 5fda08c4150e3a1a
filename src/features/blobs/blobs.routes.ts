import { operations } from '../../contract/index.ts';
import { downloadAnswer, readSigned } from '../../http/download.ts';
import { receiveUpload } from '../../http/multipart.ts';
import type { Http } from '../../http/server.ts';
import type { Blobs } from './blobs.ts';

/** Binds the operations of blobs and the addresses that their bytes are loaded from. */
export function bindBlobs(http: Http, blobs: Blobs): void {
  http.bind(operations.createBlob, ({ principal, raw }) =>
    receiveUpload(raw, operations.createBlob.upload.part, (upload) => blobs.createBlob(principal, upload)),
  );
  http.bind(operations.getBlob, ({ principal, params }) => blobs.getBlob(principal, params.id));
  http.bind(operations.createExternalBlob, ({ principal, body }) =>
    blobs.createExternalBlob(principal, body),
  );
  http.page('/blobs/:key/:name', async ({ key = '', name = '' }, raw) => {
    const { proof, isSaved } = readSigned(raw);
    const served = await blobs.findServed({ key, name }, proof);
    return await downloadAnswer(raw, { ...served, isInline: served.isInline && !isSaved });
  });
}
