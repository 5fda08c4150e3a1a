import { keepBlobsInBucket } from '../support/network/bucket.ts';

// Everything that test/features/previews/previews.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../features/previews/previews.test.ts');
