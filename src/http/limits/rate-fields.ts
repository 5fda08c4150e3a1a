import { rateKindOf } from '../../contract/operation.ts';
import {
  addressId,
  type RateKind,
  type RateLimits,
  rateFieldsOf,
  rateLimited,
  rateSubjectOf,
  type Taken,
} from '../../kernel/rate-limits.ts';
import type { HttpRequest } from '../request.ts';

/** A search reads far more than it returns. */
const searches = /[?&]q=[^&]/i;

/** The kind of a request; pages and files count as reading. */
function kindOf({ operation, url, method }: HttpRequest): RateKind {
  if (operation === undefined) return 'read';
  return method === 'GET' && searches.test(url) ? 'search' : rateKindOf(operation);
}

/**
 * Counts a request for its caller and for the address of its client, and adds the fields `RateLimit` and
 * `RateLimit-Policy` to its response. Throws `rate_limited`; a request that is beyond the limit of its caller does not
 * count for the address, which others may share.
 */
export async function countRequest(limits: RateLimits, request: HttpRequest): Promise<void> {
  const kind = kindOf(request);
  const { principal, clientAddress } = request;
  const all: Taken[] = [];
  if (principal !== undefined) await count(limits.take(...rateSubjectOf(principal), kind), all);
  if (clientAddress !== undefined) await count(limits.take('address', addressId(clientAddress), kind), all);
  if (all.length > 0) Object.assign(request.fields, rateFieldsOf(all));
}

/** Adds what a request has taken to the others. */
async function count(taking: ReturnType<RateLimits['take']>, all: Taken[]): Promise<void> {
  const taken = taking instanceof Promise ? await taking : taking;
  if (taken?.isRefused === true) throw rateLimited(taken);
  if (taken !== undefined) all.push(taken);
}
