import { keepBlobsInBucket } from '../support/network/bucket.ts';

// Everything that test/features/users/user-pictures.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../features/users/user-pictures.test.ts');
