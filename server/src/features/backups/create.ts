import { backupOperations } from 'confab-contract/backups.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { BackupParts } from './backups.ts';

/** Begins to make a backup. */
export const createBackup = handler(backupOperations.createBackup, async (_call, { backups }: BackupParts) =>
  json(JSON.stringify(backups.create())),
);
