import { initial } from './0001-initial.ts';
import { eventRecipients } from './0002-event-recipients.ts';
import type { Migration } from './migration.ts';

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [initial, eventRecipients];
