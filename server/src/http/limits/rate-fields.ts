import { rateKindOf } from 'confab-contract/operation.ts';
import {
  addressId,
  type RateKind,
  type RateLimits,
  type RateOutcome,
  rateFieldsOf,
  rateLimited,
  rateSubjectOf,
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
 * Counts a request for its caller and for the address of its client, and gives its response the fields `RateLimit` and
 * `RateLimit-Policy`, unless caches may keep the response. Throws `rate_limited`; a request that is beyond the limit of its caller does not count for the
 * address, which others may share. It is a promise only where other nodes have to be asked.
 */
export function countRequest(limits: RateLimits, request: HttpRequest): undefined | Promise<undefined> {
  const { principal } = request;
  const kind = kindOf(request);
  // Visitors who have not signed in are told apart by their addresses alone.
  const taking =
    principal === undefined || principal.user.id === 0
      ? undefined
      : limits.take(...rateSubjectOf(principal), kind);
  const countAddress = (ofCaller: RateOutcome | undefined) => {
    if (ofCaller?.isRefused === true) throw rateLimited(ofCaller);
    const { clientAddress } = request;
    const takingToo =
      clientAddress === undefined ? undefined : limits.take('address', addressId(clientAddress), kind);
    return takingToo instanceof Promise
      ? takingToo.then((ofAddress) => describe(request, ofCaller, ofAddress))
      : describe(request, ofCaller, takingToo);
  };
  return taking instanceof Promise ? taking.then(countAddress) : countAddress(taking);
}

function describe(
  request: HttpRequest,
  ofCaller: RateOutcome | undefined,
  ofAddress: RateOutcome | undefined,
): undefined {
  if (ofAddress?.isRefused === true) throw rateLimited(ofAddress);
  const all = [ofCaller, ofAddress].filter((taken) => taken !== undefined);
  if (all.length > 0) Object.assign(request.fields, rateFieldsOf(all));
}
