import { downloadAnswer, readSigned } from '../../http/answers/download.ts';
import type { Http } from '../../http/server.ts';
import type { Previews } from './previews.ts';

/** Binds the addresses from which clients load thumbnails, previews and users' pictures. */
export function bindPreviews(http: Http, previews: Previews): void {
  http.page('/thumbnails/:key/:name', async ({ key = '', name = '' }, raw) => {
    const { proof, isSaved } = readSigned(raw);
    const served = await previews.findThumbnail({ key, name }, proof);
    return await downloadAnswer(raw, { ...served, isInline: !isSaved });
  });
  http.page('/previews/:key/:name', async ({ key = '', name = '' }, raw) => {
    const { proof, isSaved } = readSigned(raw);
    const served = await previews.findPreview({ key, name }, proof);
    return await downloadAnswer(raw, { ...served, isInline: !isSaved });
  });
  http.page('/pictures/:key', async ({ key = '' }, raw) => {
    const { proof, isSaved } = readSigned(raw);
    const served = await previews.findPicture(key, proof.signature);
    return await downloadAnswer(raw, { ...served, isInline: !isSaved });
  });
}
