import { randomInt } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { knownDigests } from '../../backup/create.ts';
import { digestOf } from '../../backup/place.ts';
import { withPlace } from '../../setup/places.ts';
import { countOf, type Examined, type Finding, foundMax, messageOf } from './finding.ts';

/** How long uploads are read, in milliseconds: the doctor of a running server ends after 30 minutes. */
const readMsMax = 600_000;

/**
 * Holds the uploads in the data folder against the checksums of the newest backup: an upload never changes, so one that
 * differs was changed on the disk. A store whose uploads take longer to read is read from another place each time.
 */
export async function checkBlobSums({ config }: Examined): Promise<Finding[]> {
  if (config.backupTo === undefined || config.s3Bucket !== undefined) return [];
  let known: ReadonlyMap<string, string>;
  try {
    known = await withPlace(config, { isWritten: false }, knownDigests);
  } catch (error) {
    return [
      {
        check: 'backups',
        level: 'warning',
        what: `The place of the backups cannot be read: ${messageOf(error)}.`,
        mend: 'See that CONFAB_BACKUP_TO is there and that this user can read it.',
      },
    ];
  }
  const damaged = await damagedAmong(known, join(config.dataDir, 'blobs'));
  if (damaged.length === 0) return [];
  return [
    {
      check: 'blobs-damaged',
      level: 'error',
      what: `${countOf(damaged.length, ['upload', 'uploads'])} in ${config.dataDir} with other bytes than in the newest backup, such as ${damaged[0]}.`,
      mend: `Copy it from the folder blobs of the backups to ${pathOf('blobs', damaged[0] ?? '')} in the data folder.`,
    },
  ];
}

function pathOf(folder: string, key: string): string {
  return join(folder, key.slice(0, 2), key);
}

async function damagedAmong(known: ReadonlyMap<string, string>, folder: string): Promise<string[]> {
  const keys = [...known.keys()].sort();
  const start = randomInt(keys.length + 1);
  const until = performance.now() + readMsMax;
  const damaged: string[] = [];
  for (const key of [...keys.slice(start), ...keys.slice(0, start)]) {
    if (damaged.length >= foundMax || performance.now() > until) break;
    const path = pathOf(folder, key);
    // One that was deleted since the backup is not missing.
    if (existsSync(path) && (await digestOf(createReadStream(path))).sha256 !== known.get(key))
      damaged.push(key);
  }
  return damaged;
}
