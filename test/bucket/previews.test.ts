import { keepBlobsInBucket } from '../support/bucket.ts';

// Everything that test/previews.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../previews.test.ts');
