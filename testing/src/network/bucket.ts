import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ObjectStore } from '@20minutes/s3rver';
import { freePort } from './ports.ts';

/** A real S3 server on loopback, with one bucket in its own folder. */
export type TestBucket = {
  readonly url: string;
  /** The settings of a Confab that stores its blobs in the bucket. */
  readonly settings: Record<string, string>;
  /** The names of the objects in the bucket. */
  names(): string[];
  /** The file of an object. */
  pathOf(name: string): string;
  /** Stops listening and closes every connection; the objects stay. */
  stop(): Promise<void>;
  /** Listens again, at the same address. */
  listen(): Promise<void>;
  /** Stops permanently and deletes the objects. */
  close(): Promise<void>;
};

const bucketName = 'confab-test';
const suffix = '._S3rver_object';

/** The settings that reach the bucket of an S3 server at `url`. */
export function settingsFor(url: string): Record<string, string> {
  return {
    CONFAB_S3_BUCKET: bucketName,
    CONFAB_S3_ENDPOINT: url,
    CONFAB_S3_ACCESS_KEY_ID: 'S3RVER',
    CONFAB_S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
}

// The server checks the signature of an address over its query as browsers write it, in which `'` stays unencoded; S3
// and all other stores use RFC 3986. Without this correction it refuses every address with a full file name.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/s3rver/lib/middleware/authentication.js')) return loaded;
    const source = String(loaded.source);
    const rightened = source.replace('.map(encodeURIComponent).join', '.map(encodeURIComponentRFC3986).join');
    if (rightened === source) throw new Error('the S3 server has changed: look whether this is still needed');
    return { ...loaded, source: rightened };
  },
});

/** The server reads an end of 0 as absent, and returns everything for `bytes=0-0`. */
function rightFirstByte({ store }: { store: ObjectStore }): void {
  const read = store.getObject.bind(store);
  store.getObject = async (bucket, key, range) =>
    await read(bucket, key, range?.end === 0 ? { ...range, end: '0' } : range);
}

/** Starts an S3 server on a free port. */
export async function startBucket(): Promise<TestBucket> {
  const { default: S3rver } = await import('@20minutes/s3rver');
  const directory = mkdtempSync(join(tmpdir(), 'confab-test-'));
  const folder = join(directory, bucketName);
  const address = '127.0.0.1';
  const options = { address, silent: true, directory, configureBuckets: [{ name: bucketName }] };
  const port = await freePort();
  let server: InstanceType<typeof S3rver> | undefined;
  const bucket = {
    async listen() {
      server = new S3rver({ ...options, port });
      rightFirstByte(server);
      await server.run();
    },
    async stop() {
      const http = server?.httpServer;
      server = undefined;
      if (http === undefined) return;
      const closed = Promise.withResolvers<void>();
      http.close(() => closed.resolve());
      http.closeAllConnections();
      await closed.promise;
    },
  };
  await bucket.listen();
  const url = `http://${address}:${port}`;
  return {
    ...bucket,
    url,
    settings: settingsFor(url),
    names: () =>
      pathsBelow(folder)
        .filter((path) => path.endsWith(suffix))
        .map((path) => path.slice(0, -suffix.length))
        .sort(),
    pathOf: (name) => join(folder, `${name}${suffix}`),
    async close() {
      await bucket.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The paths below the folder of a bucket, which removes folders that become empty, also while they are read. */
function pathsBelow(folder: string): string[] {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) throw error;
    }
  }
}

let ofProcess: TestBucket | undefined;

/** Makes the servers of this process store their blobs in a bucket. */
export async function keepBlobsInBucket(): Promise<void> {
  const bucket = await startBucket();
  ofProcess = bucket;
  after(async () => {
    ofProcess = undefined;
    await bucket.close();
  });
}

/** The bucket of this process; undefined where blobs are stored in the folder. */
export function bucketOfProcess(): TestBucket | undefined {
  return ofProcess;
}

/** The settings of the storage of blobs in this process. */
export function blobSettings(): Record<string, string> {
  return ofProcess?.settings ?? {};
}
