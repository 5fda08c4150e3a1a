import { setting, text } from './config-values.ts';

/** The settings of backups (decision 0076). */
export const backupSettings = {
  backupPassphrase: setting('CONFAB_BACKUP_PASSPHRASE', {
    kind: text('at least 12 characters', passphrase),
    sentence:
      'Seals the key of webhook secrets in backups, and opens it when one is restored; without it the key is left out of backups.',
    isSecret: true,
  }),
};

function passphrase(given: string): string {
  if (given.length < 12) throw new Error('must have at least 12 characters');
  return given;
}
