import { backupOperations } from 'confab-contract/backups.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { BackupParts } from './backups.ts';

/** Begins to check a backup. */
export const verifyBackup = handler(
  backupOperations.verifyBackup,
  async ({ params }, { backups }: BackupParts) => json(JSON.stringify(await backups.verify(params.backup))),
);
