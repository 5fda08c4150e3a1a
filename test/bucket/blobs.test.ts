import { keepBlobsInBucket } from '../support/bucket.ts';

// Everything that test/blobs.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../blobs.test.ts');
