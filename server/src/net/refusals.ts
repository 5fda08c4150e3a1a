import type { Log } from '../kernel/log.ts';
import { EGRESS_SETTINGS, isWellKnownNat64 } from './rules.ts';
import type { TargetRefusalCode } from './target.ts';

/**
 * A request that the guard refused but that a setting could permit. It is only for the operator's log: the client that
 * chose the URL learns that the address is not allowed, but not what the name resolved to.
 */
export type Refusal = {
  readonly host: string;
  /** The refused addresses of the name; empty when the URL itself was refused. */
  readonly addresses: readonly string[];
  /** The name of the setting that would permit it. */
  readonly setting: string;
};

/** Called for each refusal. */
export type OnRefused = (refusal: Refusal) => void;

/** The settings that can permit a URL, by the reason of its refusal; other reasons are not configurable. */
const decidedBy: { readonly [code in TargetRefusalCode]?: string } = {
  address_not_allowed: EGRESS_SETTINGS.allow,
  port_not_allowed: EGRESS_SETTINGS.allow,
  https_required: EGRESS_SETTINGS.httpsOnly,
};

/** The refusal of a URL, or undefined when no setting can permit it. */
export function urlRefusal(url: string, code: TargetRefusalCode): Refusal | undefined {
  const setting = decidedBy[code];
  const host = URL.parse(url)?.host;
  return setting === undefined || host === undefined ? undefined : { host, addresses: [], setting };
}

/** The refusal of a name because of its addresses. */
export function addressRefusal(host: string, addresses: readonly string[]): Refusal {
  const isOnlyNat64 = addresses.every(isWellKnownNat64);
  return { host, addresses, setting: isOnlyNat64 ? EGRESS_SETTINGS.nat64 : EGRESS_SETTINGS.allow };
}

/** The most hosts logged a minute, each once, because clients choose these URLs. */
const windowMs = 60_000;
const hostsMax = 20;

/** Writes refusals to the log, for the operator to see which setting to change. */
export function createRefusalLog(log: Log): OnRefused {
  const reported = new Set<string>();
  let untold = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  return ({ host, addresses, setting }) => {
    if (performance.now() - startedAt >= windowMs) {
      if (untold > 0) log.warn({ refusals: untold }, 'requests to still other hosts were refused as well');
      startedAt = performance.now();
      reported.clear();
      untold = 0;
    }
    if (reported.has(host)) return;
    if (reported.size >= hostsMax) {
      untold += 1;
      return;
    }
    reported.add(host);
    log.warn(
      { host, setting, ...(addresses.length === 0 ? {} : { addresses: addresses.slice(0, hostsMax) }) },
      `a request to a host that is not allowed was refused; ${setting} decides`,
    );
  };
}
