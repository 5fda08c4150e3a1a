import { type CommentsHost, type Extension, html, nothing, pageUid, type Server } from '../shared.ts';

/** The settings without which visitors cannot comment, by what the server calls them, each with the value of a blog. */
const settings = {
  origins: `CONFAB_CORS_ORIGINS=${location.origin}`,
  sign_in: 'CONFAB_SIGN_IN=guest',
  visitors: 'CONFAB_PAGES_VISITORS=write',
} as const;

/** What the server says of signing in. Earlier servers do not say what is missing. */
type Ways = { readonly opens_pages: boolean; readonly lacks?: readonly (keyof typeof settings)[] };

/** What the server of an element lacks, and the page of its console where that is set. */
const missing = new WeakMap<CommentsHost, { readonly lines: readonly string[]; readonly page: string }>();

/** What was told on the console. */
const warned = new Set<string>();

/** Shows the owner, whose page and server are on their own machine, what is missing. */
const setUp: Extension = {
  form(host, comment) {
    const lacking = missing.get(host);
    if (lacking === undefined || comment !== undefined) return nothing;
    return html`<div class="failed" part="setup" role="note" lang="en" dir="ltr">
      <p>Visitors cannot comment on this page yet. Only you see this, because the page is on your machine.</p>
      <p><a href=${lacking.page} target="_blank">Set it up in the console</a>, or add to the settings of the server and restart it:</p>
      ${lacking.lines.map((line) => html`<p><code dir="ltr">${line}</code></p>`)}
    </div>`;
  },
};

/**
 * Whether the first comment creates the app of a page: always for users, and for visitors on pages of this site if the server
 * lets them. If it lets no visitor, says which settings are missing.
 */
export async function opensPage(
  host: CommentsHost,
  { api, session, url }: Server,
  app: string,
): Promise<boolean> {
  if (session.user && !session.user.way) return true;
  if (app.split('~')[0] !== pageUid(location.origin)) return false;
  const answer = await api.call<Ways>('/api/sign-in');
  if (!answer.ok) return false;
  // A site with users of its own may keep its pages for them.
  if (session.source === undefined) explain(host, url, answer.body.lacks);
  return answer.body.opens_pages;
}

/** Explains what visitors lack who want to sign in. A page of an origin that is not listed could ask for nothing else. */
export function explained<W extends Pick<Ways, 'lacks'> & { readonly ways: readonly string[] }>(
  host: CommentsHost,
  found: W,
): W {
  // A page that is open takes comments, whatever becomes of new ones.
  const lacks = found.lacks?.filter((name) => name !== 'visitors');
  explain(host, host.server.url, lacks);
  return found.lacks?.includes('origins') ? { ...found, ways: [] } : found;
}

/** Says what the server lacks, once for each page and cause, and shows it to the owner. */
function explain(host: CommentsHost, url: string, lacks: Ways['lacks'] = []): void {
  missing.delete(host);
  if (lacks.length === 0) return;
  const lines = lacks.map((name) => settings[name]);
  const page = `${url}console/system/site`;
  const told = `Visitors cannot comment on this page: ${url} needs ${lines.join(' and ')}, or the site in ${page}.`;
  if (!warned.has(told)) console.warn(told);
  warned.add(told);
  if (![location.href, url].every(isOnThisMachine)) return;
  missing.set(host, { lines, page });
  host.extend(setUp);
}

function isOnThisMachine(address: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/.test(new URL(address).hostname);
}
