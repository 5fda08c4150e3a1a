import type { S3ServiceException } from '@aws-sdk/client-s3';
import { Problem } from 'confab-contract/problem.ts';

/** A bucket that the present settings cannot use, however long one waits; the message contains the remedy. */
export class BucketRefusal extends Error {}

/** The facts about an error of the client that explain it. */
export function factsOf(error: unknown): { name: string; status: number | undefined; message: string } {
  if (!(error instanceof Error)) return { name: 'Error', status: undefined, message: String(error) };
  const status = (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;
  return { name: error.name, status, message: error.message };
}

/**
 * Whether the object is missing, and not its bucket. The response to a HEAD request has no body, so it counts as that.
 */
function isAbsent(error: unknown): boolean {
  const { name } = factsOf(error);
  return name === 'NoSuchKey' || name === 'NotFound';
}

const remedies: { readonly [code: string]: string } = {
  NoSuchBucket: 'there is none of this name; make it, or correct CONFAB_S3_BUCKET',
  InvalidAccessKeyId: 'nobody there has this CONFAB_S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'CONFAB_S3_SECRET_ACCESS_KEY is not the secret of CONFAB_S3_ACCESS_KEY_ID',
  AccessDenied: 'permit s3:GetObject, s3:PutObject, s3:DeleteObject and, for the bucket, s3:ListBucket',
  RequestTimeTooSkewed: 'the clock of this machine is not right',
  PermanentRedirect: 'it is in another region; correct CONFAB_S3_REGION',
  AuthorizationHeaderMalformed: 'it is in another region; correct CONFAB_S3_REGION',
  CredentialsProviderError:
    'no credentials were found; set CONFAB_S3_ACCESS_KEY_ID and CONFAB_S3_SECRET_ACCESS_KEY',
};

/** The response to a request; undefined when the object does not exist. */
export async function unlessAbsent<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** The refusal behind an error; undefined when waiting may help. */
export function refusalOf(error: unknown, bucket: string): BucketRefusal | undefined {
  const { name, status } = factsOf(error);
  const isRequestAtFault = status !== undefined && status >= 300 && status < 500;
  if (name !== 'CredentialsProviderError' && (!isRequestAtFault || status === 408 || status === 429))
    return undefined;
  const remedy = remedies[name] ?? 'it refuses to be read';
  return new BucketRefusal(`the bucket ${bucket} cannot be used: ${remedy} (${name})`, { cause: error });
}

/** The error for clients. It reveals nothing of the cause, which goes to the log. */
export function unavailable(cause: unknown): Problem {
  return new Problem('storage_unavailable', 'The place of files does not answer at the moment.', { cause });
}
