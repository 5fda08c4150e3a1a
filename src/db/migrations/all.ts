import { initial } from './0001-initial.ts';
import type { Migration } from './migration.ts';

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [initial];
