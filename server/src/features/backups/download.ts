import { Readable } from 'node:stream';
import { backupOperations } from 'confab-contract/backups.ts';
import { handler } from '../../binding/handler.ts';
import type { BackupParts } from './backups.ts';

/** Sends a backup as an archive. A HEAD request reads nothing but its manifest. */
export const downloadBackup = handler(
  backupOperations.downloadBackup,
  async ({ params: { backup: id }, raw }, { backups }: BackupParts) => {
    const headers = {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="confab-${id}.tar"`,
      'cache-control': 'no-store',
    };
    const { pieces, end } = await backups.send(id);
    if (raw.method === 'HEAD') {
      await end();
      return { status: 200, headers, body: '' };
    }
    const body = Readable.from(pieces, { objectMode: false });
    body.once('close', () => void end());
    return { status: 200, headers, body };
  },
);
