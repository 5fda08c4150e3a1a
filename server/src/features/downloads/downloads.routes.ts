import { downloadAnswer, readSigned } from '../../http/answers/download.ts';
import type { Http } from '../../http/server.ts';
import type { Downloads } from './downloads.ts';

/** Binds the addresses from which clients load the bytes of blobs. */
export function bindDownloads(http: Http, downloads: Downloads): void {
  http.page('/blobs/:key/:name', async ({ key = '', name = '' }, raw) => {
    const { proof, isSaved } = readSigned(raw);
    const served = await downloads.findServed({ key, name }, proof);
    return await downloadAnswer(raw, { ...served, isInline: served.isInline && !isSaved });
  });
}
