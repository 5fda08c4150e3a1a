import { keepBlobsInBucket } from 'confab-testing/network/bucket.ts';

// Everything that server/test/features/users/user-pictures.test.ts promises of the folder is promised of a bucket.
await keepBlobsInBucket();
await import('../../features/users/user-pictures.test.ts');
