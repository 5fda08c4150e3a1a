import type { Answer } from '../answers/answer.ts';
import type { Http } from '../server.ts';

/** What the reference client asks a server before it works with it: which version it is, and whether it is up. */

/**
 * The versions of the reference client that Confab works with, by their first number, with the highest second number that
 * was released. Those from 23 to 30 are left out, because some of their requests are refused, and others never ran in the
 * tests; 22 did not either.
 */
const workingVersions: ReadonlyMap<number, number> = new Map([
  [20, 0],
  [21, 1],
  [31, 2],
  [32, 2],
]);

/** `@weavy/uikit-web@21.1.2` or `@weavy/uikit-react@21.1.2`. */
const source = /^@weavy\/uikit-[a-z]{1,20}@((0|[1-9]\d{0,3})\.(0|[1-9]\d{0,3})\.(?:0|[1-9]\d{0,3}))$/;

/**
 * Serves `/version` and `/status`. The reference client reports a fault on the console of each page whose `/version` is not
 * its own, so one that Confab works with gets its own back. Everyone else gets `clientVersion`.
 */
export function bindClientVersion(http: Http, { clientVersion }: { readonly clientVersion: string }): void {
  http.page('/version', async (_params, { headers }) =>
    plain(workingVersion(headers['x-weavy-source']) ?? clientVersion, { vary: 'X-Weavy-Source' }),
  );
  http.page('/status', async () => plain('Ok'));
}

/** The version in the header `X-Weavy-Source`, if Confab works with it. Node joins several such headers with commas. */
function workingVersion(header: string | string[] | undefined): string | undefined {
  const [, version, first, second] = source.exec(String(header)) ?? [];
  const last = workingVersions.get(Number(first));
  return last !== undefined && Number(second) <= last ? version : undefined;
}

function plain(body: string, headers: { readonly vary?: string } = {}): Answer {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}
