import { limits } from 'confab-contract/fields.ts';
import { ImportError } from 'confab-importers/import-file.ts';
import type { AskWeavy } from 'confab-importers/weavy/weavy-lists.ts';
import type { WeavyFile } from 'confab-importers/weavy/weavy-records.ts';
import { startTimer } from '../kernel/timer.ts';
import type { Egress, EgressAnswer } from '../net/egress.ts';

/** Asks a running Weavy server, again where it is busy, and never for more than fits. */

/** The most bytes of a page of JSON: a hundred texts of 64 KiB, twice over for their HTML, and as much again. */
const pageBytesMax = 32 * 1024 * 1024;
/** How long an answer may take, in milliseconds: a page, and a file of 50 MiB on a slow line. */
const pageMs = 60_000;
const fileMs = 300_000;
/** How often a request is tried. The pauses before the tries add up to half a minute, unless the server names longer ones. */
const attemptsMax = 6;
const firstPauseMs = 1000;
/** The longest pause that the server can ask for, in milliseconds. */
const pauseMsMax = 60_000;
/** How many redirects lead to the bytes of a file. */
const redirectsMax = 3;

/** The server to ask. */
export type WeavyTarget = {
  /** Where it is, without a slash at the end. */
  readonly address: string;
  readonly key: string;
  readonly egress: Egress;
  /** Headers besides that of the key. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A server that is asked. */
export type WeavyClient = {
  readonly ask: AskWeavy;
  /** The bytes of a file; undefined where there are none any longer, or more than an upload may have. */
  readonly download: (file: WeavyFile) => Promise<Buffer | undefined>;
};

/** Asks a server with one of its API keys. Both throw an `ImportError` where it does not answer as it should. */
export function createWeavyClient({ address, key, egress, headers = {} }: WeavyTarget): WeavyClient {
  const own = { ...headers, authorization: `Bearer ${key}` };
  const { origin } = new URL(address);
  const fail = (words: string) => new ImportError(address, words);

  /** Sends a request until it is answered by something else than "later"; undefined for an address that is refused. */
  async function get(
    url: string,
    bodyBytesMax: number,
    timeoutMs: number,
  ): Promise<EgressAnswer | undefined> {
    const path = url.startsWith(address) ? url.slice(address.length) : url;
    // The key is for this server alone, and a file can be elsewhere.
    const sent = new URL(url).origin === origin ? own : {};
    let said = '';
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const answer = await egress.get(url, {
        headers: { accept: '*/*', ...sent },
        bodyBytesMax,
        timeoutMs,
      });
      if (answer.answered && answer.statusCode !== 429 && answer.statusCode < 500) return answer;
      if (!answer.answered && answer.permanent) return undefined;
      said = answer.answered ? `answered ${answer.statusCode}` : `failed (${answer.errorCode})`;
      const asked = answer.answered ? retryAfterMs(answer.headers['retry-after']) : undefined;
      if (attempt < attemptsMax) await pause(asked ?? firstPauseMs * 2 ** (attempt - 1));
    }
    throw fail(`GET ${shownPath(path)} ${said}, ${attemptsMax} times in a row`);
  }

  return {
    async ask(path) {
      const answer = await get(address + path, pageBytesMax, pageMs);
      const shown = `GET ${shownPath(path)}`;
      if (answer === undefined) throw fail('this address cannot be asked');
      const { statusCode, body, truncated } = answer;
      if (statusCode === 404 || statusCode === 405) return undefined;
      if (statusCode === 401 || statusCode === 403)
        throw fail(`${shown} answered ${statusCode}: --key must be an API key of that server`);
      if (statusCode !== 200) throw fail(`${shown} answered ${statusCode}, which is no page`);
      if (truncated) throw fail(`${shown} answered more than ${pageBytesMax} bytes`);
      try {
        return JSON.parse(body.toString('utf8')) as unknown;
      } catch (error) {
        throw Object.assign(fail(`${shown} answered something else than JSON`), { cause: error });
      }
    },

    async download({ url }) {
      let next = url;
      for (let hop = 0; next !== undefined && hop <= redirectsMax; hop += 1) {
        const answer: EgressAnswer | undefined = await get(next, limits.uploadBytesMax, fileMs);
        if (answer === undefined) return undefined;
        if (answer.statusCode === 200) return answer.truncated ? undefined : answer.body;
        const location: string = answer.headers['location'] ?? '';
        const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
        next = isRedirect && URL.canParse(location, next) ? new URL(location, next).href : undefined;
      }
      return undefined;
    },
  };
}

/** The path without its query, which can be long. */
function shownPath(path: string): string {
  return path.split('?')[0] ?? path;
}

/** What a server asks for in `Retry-After`: seconds (RFC 9110 section 10.2.3); a date counts as none. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
  return ms === undefined ? undefined : Math.min(ms, pauseMsMax);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    startTimer(ms, done);
  });
}
