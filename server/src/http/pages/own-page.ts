import type { HttpRequest } from '../request.ts';

/**
 * Whether a request comes from a page of this server, or from no page: browsers send the origin in headers that pages
 * cannot set. A client that sends neither header is not a browser, or reads over HTTP without TLS.
 */
export function isFromOwnPage({ headers }: HttpRequest, publicUrl: string): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const own = [`http://${host}`, `https://${host}`, new URL(publicUrl).origin];
  return site === 'same-origin' && (origin === undefined || own.includes(origin));
}
