import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../../db/db.ts';
import { settingOf } from '../../db/settings.ts';
import type { Clock } from '../../kernel/clock.ts';

/**
 * A hold keeps the bytes of blobs from being removed while a backup copies them: every row of the copied database has
 * its bytes until the hold ends. It ends by itself, because a backup may be killed.
 */

/** The setting with the time until which bytes are held, in milliseconds since 1970. */
export const holdSetting = 'blob_hold';
/** How long a hold lasts unless it is renewed, in milliseconds. */
export const holdMs = 120_000;

/** The value of the setting for a hold that begins or is renewed at a time. */
export function holdAt(now: UnixMs): string {
  return String(now + holdMs);
}

/** Whether bytes are held. Call it after reading which blobs to remove: a copy that begins later does not use those. */
export async function isHeld(read: Read, clock: Clock): Promise<boolean> {
  const setting = await read.get(settingOf, { name: holdSetting });
  return setting !== undefined && Number(setting.value) > clock.now();
}
