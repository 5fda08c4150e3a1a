import { timestamp } from 'confab-contract/values/time.ts';
import { backupState } from '../../backup/last-backup.ts';
import type { Db } from '../../db/db.ts';
import { findOpenedApps } from '../../features/apps/opened-apps.ts';
import { examineUids } from '../../features/apps/reserved-uids.ts';
import { findUsersInVisitorDirectory } from '../../features/directories/user-directory.ts';
import { countMisplaced, putAllInPlace } from '../../features/notifications/misplaced.ts';
import { countParked, describeParked } from '../../features/notifications/parked.ts';
import { retryParkedEvents } from '../../features/notifications/parked-events.ts';
import { examineDeliveries } from '../../features/webhooks/deliveries/doctor.ts';
import { missingKeys, openSecretBox } from '../../features/webhooks/secrets/secret-keys.ts';
import { directoryOfVisitors } from '../../kernel/principal.ts';
import { countOf, type Examined, type Finding, foundMax, mendedByFix, messageOf } from './finding.ts';

/** The checks of the features themselves: deliveries, notifications, uids, open apps and the keys of secrets. */

/** Tries again to notify of the events that were given up; returns of how many. */
export async function retryParked(db: Db, { clock, config, log }: Examined): Promise<number> {
  return await retryParkedEvents({ db, clock, people: config.people, log });
}

async function checkDeliveries(db: Db, { clock, config }: Examined): Promise<Finding[]> {
  const deliveryDays = config.webhookDeliveryDays;
  const { faults, notes } = await examineDeliveries({ read: db.read, clock, deliveryDays });
  return [
    ...faults.map((what) => ({
      check: 'deliveries',
      level: 'error' as const,
      what: `${what}.`,
      mend: 'Start a server. A receiver can read missed events from GET /api/events (docs/webhooks.md).',
    })),
    ...notes.map((what) => ({
      check: 'receivers',
      level: 'note' as const,
      what: `${what}.`,
      mend: 'Repair the receiver; waiting deliveries are sent when it responds again.',
    })),
  ];
}

async function checkParked(db: Db, examined: Examined): Promise<Finding[]> {
  const sentences = await describeParked(db.read);
  return sentences.map((sentence, index) => ({
    check: 'parked',
    level: 'error',
    what: `${sentence.replace(/; "confab doctor --retry" tries again$/, '')}.`,
    mend: 'Run "confab doctor --fix", which tries again. The log of the server has the reason.',
    // One fix for all of them.
    ...(index > 0
      ? {}
      : {
          async fix() {
            const before = await countParked(db.read);
            return `${await retryParked(db, examined)} of ${before} events that had been given up have their notifications.`;
          },
        }),
  }));
}

async function checkNotifications(db: Db, { clock }: Examined): Promise<Finding[]> {
  const count = await countMisplaced(db.read, foundMax);
  if (count === 0) return [];
  const those = countOf(count, ['notification is', 'notifications are']);
  return [
    {
      check: 'notifications',
      level: 'error',
      what: `${those} listed although their subject is deleted, in the trash or held, or not listed although it is shown.`,
      mend: mendedByFix,
      async fix() {
        await putAllInPlace({ db, clock });
        return `Put ${countOf(count, ['notification', 'notifications'])} in place.`;
      },
    },
  ];
}

async function checkUids(db: Db): Promise<Finding[]> {
  return (await examineUids(db.read)).map((sentence) => {
    const [what = '', mend = ''] = sentence.split(': give');
    return { check: 'uids', level: 'error', what: `${what}.`, mend: `Give${mend}.` };
  });
}

/** Notes, because the operator may want it so. */
async function checkOpenApps(db: Db): Promise<Finding[]> {
  return (await findOpenedApps(db.read, foundMax)).map(({ id, uid, openedBy }) => ({
    check: 'open-apps',
    level: 'note',
    what: `App ${id}, "${uid}", is open to the users of all directories, and "${openedBy}", a user of one of them, opened it.`,
    mend: `If only one directory may see it, name that directory with PATCH /api/apps/${id} and an API key. If all may see it, set its access to none and back with an API key; then it is no longer listed.`,
  }));
}

async function checkVisitors(db: Db): Promise<Finding[]> {
  return (await findUsersInVisitorDirectory(db.read, foundMax)).map(({ id, uid }) => ({
    check: 'visitors',
    level: 'error',
    what: `User ${id}, "${uid}", is a user of the product in the directory "${directoryOfVisitors}", and sees the visitors of this server there.`,
    mend: `Name another directory, or null for none, with PATCH /api/users/${id} and an API key.`,
  }));
}

async function checkKeys(db: Db, { config }: Examined): Promise<Finding[]> {
  const findings = (what: string): Finding[] => [
    {
      check: 'keys',
      level: 'error',
      what,
      mend: 'Restore the keys from a backup (CONFAB_SECRETS_KEY, CONFAB_SECRETS_KEY_FILE), or run "confab secrets replace-lost" if they are lost.',
    },
  ];
  try {
    const missing = await missingKeys(db.read, openSecretBox(config));
    if (missing.length === 0) return [];
    return findings(`Secrets of webhooks are sealed with a key that is not here: ${missing.join(', ')}.`);
  } catch (error) {
    return findings(`The keys of secrets cannot be used: ${messageOf(error)}.`);
  }
}

async function checkBackups(db: Db, { clock, config }: Examined): Promise<Finding[]> {
  if (config.backupTo === undefined) return [];
  const { lastAt, isLate } = await backupState(db.read, clock, config.backupEveryMs);
  if (!isLate) return [];
  const what =
    lastAt === undefined
      ? 'There has been no backup, although CONFAB_BACKUP_TO is set.'
      : `The last backup is of ${timestamp(lastAt)}, which is late.`;
  const mend = 'Start a server if none runs; otherwise its log says why a backup failed.';
  return [{ check: 'backups', level: 'warning', what, mend }];
}

/** Checks what the features know of themselves. */
export async function checkFeatures(db: Db, examined: Examined): Promise<Finding[]> {
  return [
    ...(await checkDeliveries(db, examined)),
    ...(await checkParked(db, examined)),
    ...(await checkNotifications(db, examined)),
    ...(await checkUids(db)),
    ...(await checkOpenApps(db)),
    ...(await checkVisitors(db)),
    ...(await checkKeys(db, examined)),
    ...(await checkBackups(db, examined)),
  ];
}
