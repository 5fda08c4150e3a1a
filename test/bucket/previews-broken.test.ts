import { keepBlobsInBucket } from '../support/bucket.ts';

// Everything that test/previews-broken.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../previews-broken.test.ts');
