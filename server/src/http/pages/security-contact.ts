import { dayMs, timestamp } from 'confab-contract/values/time.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Http } from '../server.ts';

/** How long what the file says can be relied on; RFC 9116 recommends less than a year. */
const validDays = 30;

/** Serves `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this server. */
export function bindSecurityContact(
  http: Http,
  {
    contact,
    clock,
    publicUrl,
  }: { readonly contact: string; readonly clock: Clock; readonly publicUrl: () => string },
): void {
  http.page('/.well-known/security.txt', async () => {
    const expires = timestamp((Math.floor(clock.now() / dayMs) + validDays) * dayMs);
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      `Canonical: ${publicUrl()}/.well-known/security.txt`,
    ];
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      body: `${lines.join('\n')}\n`,
    };
  });
}
