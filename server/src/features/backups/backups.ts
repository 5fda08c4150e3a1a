import type { BackupJob, Backups } from 'confab-contract/backups.ts';

/** Backups are copies of the store at the place of the server, which makes, checks and sends them in the background. */

/** The part of the server that keeps its backups. */
export type BackupParts = {
  readonly backups: {
    /** The backups at the place, and what runs. */
    list(): Promise<Backups>;
    /** Begins to make a backup. Throws `validation_failed` without a place, and `too_busy` while one is checked. */
    create(): BackupJob;
    /** Begins to check a backup; throws `not_found`, and `too_busy` while another is made or checked. */
    verify(id: string): Promise<BackupJob>;
    /** A backup as an archive, which has to be ended; throws `not_found`, and `too_busy` while another is sent. */
    send(id: string): Promise<{ readonly pieces: AsyncIterable<Buffer>; readonly end: () => Promise<void> }>;
  };
};
