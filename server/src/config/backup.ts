import { between, type Kind, setting, text, yesOrNo } from './values.ts';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time between backups, in milliseconds: 10 minutes to 31 days. */
const interval: Kind<number> = text('minutes, hours or days such as 30m, 6h or 7d', (text) => {
  const [, number, unit] = /^([0-9]{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * unitMs[(unit ?? 'm') as keyof typeof unitMs];
  if (!(ms >= 10 * unitMs.m && ms <= 31 * unitMs.d))
    throw new Error('must be a time such as 30m, 6h or 7d, 10m to 31d');
  return ms;
});

/** The settings of backups (decision 0076). */
export const backupSettings = {
  backupTo: setting('CONFAB_BACKUP_TO', {
    kind: text('a folder, or `s3://bucket/prefix`'),
    sentence:
      'The place for automatic backups, and the default place of `confab backup` ([docs/backups.md](backups.md)). For a bucket, Confab uses the credentials of CONFAB_S3_…. Only for a store on SQLite.',
  }),
  backupEveryMs: setting('CONFAB_BACKUP_EVERY', {
    kind: interval,
    default: '24h',
    sentence: 'The time between two automatic backups.',
  }),
  backupKeep: setting('CONFAB_BACKUP_KEEP', {
    kind: between(1, 9999),
    default: '28',
    sentence: 'How many automatic backups are kept.',
  }),
  backupLog: setting('CONFAB_BACKUP_LOG', {
    kind: yesOrNo,
    default: 'no',
    sentence:
      'Whether the server also ships the write-ahead log to that place every second, so that the store can be restored to any moment.',
  }),
  backupPassphrase: setting('CONFAB_BACKUP_PASSPHRASE', {
    kind: text('at least 12 characters', passphrase),
    sentence:
      'The passphrase that seals the key of webhook secrets in backups, and opens it at a restore. Without it, backups do not contain the key.',
    isSecret: true,
  }),
};

function passphrase(text: string): string {
  if (text.length < 12) throw new Error('must have at least 12 characters');
  return text;
}
