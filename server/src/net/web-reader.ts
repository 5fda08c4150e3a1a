/**
 * Reads web documents through the guarded egress. It follows redirects itself: each hop is a separate request, so its
 * address is checked like the first.
 */
import type { Egress, EgressAnswer } from './egress.ts';

/** A document as received. `url` is its address after redirects. */
export type WebDocument = {
  readonly url: URL;
  /** In lower case and without parameters, such as `text/html`. */
  readonly mediaType: string;
  /** The charset parameter of the media type, in lower case. */
  readonly charset: string | undefined;
  /** The first bytes, up to the requested limit. */
  readonly bytes: Buffer;
};

/** The options for reading a document. */
export type Reading = {
  readonly accept: string;
  readonly bytesMax: number;
  /** Aborts the reading, including all hops; the result is then undefined. */
  readonly signal: AbortSignal;
};

/** Reads documents. */
export type WebReader = {
  /** The document at `url`, or undefined when it cannot be read for any reason. */
  read(url: URL, reading: Reading): Promise<WebDocument | undefined>;
};

/** The most redirects to follow. */
const hopsMax = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates a reader with the given `userAgent`. */
export function createWebReader({ egress, userAgent }: { egress: Egress; userAgent: string }): WebReader {
  async function ask(url: URL, { accept, bytesMax, signal }: Reading): Promise<EgressAnswer | undefined> {
    try {
      const headers = { accept, 'accept-encoding': 'identity', 'user-agent': userAgent };
      const result = await egress.get(url.href, { headers, bodyBytesMax: bytesMax, signal });
      return result.answered ? result : undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    async read(first, reading) {
      let url = withoutFragment(first);
      for (let hops = 0; hops <= hopsMax; hops += 1) {
        const answer = await ask(url, reading);
        if (answer === undefined) return undefined;
        if (!redirects.has(answer.statusCode)) return documentOf(url, answer);
        const next = URL.parse(answer.headers.location ?? '', url.href);
        if (next === null || answer.headers.location === undefined) return undefined;
        url = withoutFragment(next);
      }
      return undefined;
    },
  };
}

function withoutFragment(url: URL): URL {
  const copy = new URL(url.href);
  copy.hash = '';
  return copy;
}

function documentOf(url: URL, { statusCode, headers, body }: EgressAnswer): WebDocument | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  // Unrequested compression is refused: untrusted bodies are never decompressed.
  if (statusCode < 200 || statusCode > 299 || encoding.toLowerCase() !== 'identity') return undefined;
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^\s"]+)/.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { url, mediaType: mediaType.trim(), charset, bytes: body };
}
