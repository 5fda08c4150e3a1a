import { join } from 'node:path';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { type BlobBucket, openBlobBucket } from '../storage/bucket.ts';
import type { BucketSettings } from '../storage/bucket-client.ts';
import { openBlobFolder } from '../storage/folder.ts';
import type { BlobStorage } from '../storage/storage.ts';

/** Opens the storage of blobs that the configuration names. */

/** The folder of blobs, or of unfinished files where blobs are in a bucket. */
export function blobFolder(config: Config): string {
  return join(config.dataDir, 'blobs');
}

/** How long a file that another node may be writing is kept, in milliseconds; no request takes that long. */
const unfinishedMs = 3_600_000;

/** Opens the storage for a command that runs alongside a server, and leaves unfinished files of the server alone. */
export async function openCommandStorage(
  config: Config,
  { log, clock }: { log: Log; clock: Clock },
): Promise<{ storage: BlobStorage; close: () => Promise<void> }> {
  const bucket = await openBucket(config, { log, clock, unfinishedUntil: 0 });
  if (bucket === undefined)
    return { storage: await openBlobFolder(blobFolder(config), 0), close: async () => {} };
  return { storage: bucket, close: async () => bucket.close() };
}

/** A start removes unfinished files from before this time: all of them where there is no other node. */
function unfinishedUntil({ databaseUrl }: Config, clock: Clock): UnixMs {
  return databaseUrl === undefined ? Number.POSITIVE_INFINITY : clock.now() - unfinishedMs;
}

/** The bucket of a configuration; undefined where blobs are in the folder. */
export async function openBucket(
  config: Config,
  {
    log,
    clock,
    unfinishedUntil: until = unfinishedUntil(config, clock),
  }: { log: Log; clock: Clock; unfinishedUntil?: UnixMs },
): Promise<BlobBucket | undefined> {
  const settings = bucketSettingsOf(config);
  if (settings === undefined) return undefined;
  const folder = { path: blobFolder(config), unfinishedUntil: until };
  return await openBlobBucket(folder, settings, { log, clock });
}

/** The bucket of a configuration and its access; undefined where blobs are in the folder. */
export function bucketSettingsOf(config: Config): BucketSettings | undefined {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket === undefined) return undefined;
  const isWithKey = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    bucket,
    endpoint: config.s3Endpoint,
    region: config.s3Region ?? 'us-east-1',
    credentials: isWithKey ? { accessKeyId, secretAccessKey } : undefined,
    isPathStyle: (config.s3PathStyle ?? (config.s3Endpoint === undefined ? 'no' : 'yes')) === 'yes',
    publicEndpoint: config.s3PublicEndpoint,
  };
}

/** The folder of a configuration that names no bucket. */
export async function openFolder(config: Config, clock: Clock): ReturnType<typeof openBlobFolder> {
  return await openBlobFolder(blobFolder(config), unfinishedUntil(config, clock));
}
