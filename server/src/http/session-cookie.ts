import { isFromOwnPage } from './pages/own-page.ts';
import type { HttpRequest } from './request.ts';

/**
 * The cookie with the session of the console. Scripts cannot read it, and pages of other sites cannot send it. Over TLS
 * its name has the prefix `__Host-`, so that no other host, as a subdomain, can set one (RFC 6265bis section 4.1.3).
 */

/** Whether browsers reach the server over TLS. */
function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

function nameOf(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-confab-session' : 'confab-session';
}

/** The value of `Set-Cookie` that keeps a session for a number of seconds; 0 forgets it. */
export function sessionCookie(secret: string, seconds: number, publicUrl: string): string {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${nameOf(publicUrl)}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

const safeMethods: readonly string[] = ['GET', 'HEAD'];

/**
 * The session of a request, if the request comes from a page of this server. A request that may change something has to
 * prove that it does, which browsers do with a header on each.
 */
export function sessionOf(request: HttpRequest, publicUrl: string): string | undefined {
  const { cookie, origin } = request.headers;
  if (cookie === undefined || !isFromOwnPage(request, publicUrl)) return undefined;
  const isProved = origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
  if (!safeMethods.includes(request.method) && !isProved) return undefined;
  const start = `${nameOf(publicUrl)}=`;
  const values = cookie.split('; ').filter((pair) => pair.startsWith(start));
  // Of two cookies with one name, one may have been set by another page of this host.
  return values.length === 1 ? values[0]?.slice(start.length) : undefined;
}
