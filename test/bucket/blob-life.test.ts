import { keepBlobsInBucket } from '../support/bucket.ts';

// Everything that test/blob-life.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../blob-life.test.ts');
