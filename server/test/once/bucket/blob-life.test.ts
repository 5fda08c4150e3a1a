import { keepBlobsInBucket } from 'confab-testing/network/bucket.ts';

// Everything that server/test/features/blobs/blob-life.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../../features/blobs/blob-life.test.ts');
