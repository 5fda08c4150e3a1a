import { timestamp } from 'confab-contract/values/time.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { HttpRequest } from './request.ts';

/** How long an origin counts as refused lately, in milliseconds. */
const latelyMs = 24 * 3_600_000;
/** The most origins that are kept: their number is up to clients. */
const keptMax = 100;
/** The most characters of an origin that is kept; hosts have at most 253. */
const lengthMax = 300;

/** The origins whose pages were refused lately (CORS). */
export type RefusedOrigins = {
  /** Keeps the origin of a request if its page cannot read the response, and logs it if it was not refused for a day. */
  readonly look: (request: HttpRequest) => void;
  /** The origins that were refused in the last 24 hours and still are, the newest first, at most 100. */
  readonly list: () => { readonly origin: string; readonly at: string }[];
};

/**
 * Keeps the origins that are refused, because only the console of a visitor's browser shows it otherwise. Requests of the
 * server's own pages have an origin as well. Any client can name any origin, so what is kept is no proof that such a page
 * exists.
 */
export function createRefusedOrigins(options: {
  /** The origins that may call now. */
  readonly origins: () => readonly string[];
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
}): RefusedOrigins {
  const { clock, log, origins } = options;
  /** When each origin was refused last, the oldest first. */
  const refused = new Map<string, number>();

  function forgetOld(): void {
    for (const [origin, at] of refused) {
      if (clock.now() - at <= latelyMs) return;
      refused.delete(origin);
    }
  }

  return {
    look(request) {
      const { origin, host } = request.headers;
      if (origin === undefined || origin.length > lengthMax || origins().includes(origin)) return;
      const isForAll = !/^\/(?:api|hubs|version)\b/.test(request.pattern ?? '');
      const own = [`http://${host}`, `https://${host}`, new URL(options.publicUrl()).origin];
      if (isForAll || own.includes(origin)) return;
      forgetOld();
      const isNew = !refused.delete(origin);
      if (refused.size === keptMax) return;
      refused.set(origin, clock.now());
      if (isNew)
        log.warn(
          { origin },
          origin === 'null'
            ? 'a page without an origin, such as a local file, cannot call the server: open it over http'
            : 'pages of this origin cannot call the server: add it in the console under System, Site, or to CONFAB_CORS_ORIGINS',
        );
    },
    list() {
      forgetOld();
      const stillRefused = [...refused].filter(([origin]) => !origins().includes(origin));
      return stillRefused.reverse().map(([origin, at]) => ({ origin, at: timestamp(at) }));
    },
  };
}
