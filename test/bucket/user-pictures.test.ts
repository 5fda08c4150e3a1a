import { keepBlobsInBucket } from '../support/bucket.ts';

// Everything that test/user-pictures.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../user-pictures.test.ts');
