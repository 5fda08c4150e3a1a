import { backupOperations } from 'confab-contract/backups.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { BackupParts } from './backups.ts';

/** The backups at the place of the server. */
export const listBackups = handler(backupOperations.listBackups, async (_call, { backups }: BackupParts) =>
  json(JSON.stringify(await backups.list())),
);
