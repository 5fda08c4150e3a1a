import type { ServerResponse } from 'node:http';
import type { Arrival } from '../harness/receiver.ts';
import { png } from '../pictures.ts';

/**
 * The final responses of the paths for deliveries. The pause before a retry is partly random, so retries are left to
 * their own tests.
 */
const verdicts: { readonly [path: string]: number } = {
  '/taken': 204,
  '/accepted': 202,
  '/gone': 410,
};
/** The paths of deliveries. */
export const deliveryPaths = Object.keys(verdicts);
/** The number of pages to embed. */
export const pagesMax = 30;

const facts = ['Grüße aus Köln', '日本語のページ', 'Plain & simple', '<b>bold</b> "quoted"', 'emoji 😀', ''];

function pageOf(number: number): string {
  const fact = facts[number % facts.length] ?? '';
  const escaped = fact.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<html><head><title>Page ${number}</title><meta property="og:title" content="${escaped}">
    <meta property="og:description" content="About ${number}: ${escaped}"><meta property="og:site_name" content="Pages">
    <meta property="og:image" content="/picture/${number}"></head><body>${number}</body></html>`;
}

/** Responds to deliveries, and to requests for pages and pictures to embed. */
export function answerFrom(response: ServerResponse, { path }: Arrival): void {
  const [, place = '', number = ''] = path.split('/');
  // The attempt stores it.
  response.sendDate = false;
  const verdict = verdicts[`/${place}`];
  if (verdict !== undefined) response.writeHead(verdict).end('noted');
  else if (place === 'page')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(Number(number)));
  else if (place === 'picture')
    response.writeHead(200, { 'content-type': 'image/png' }).end(png(10 + Number(number), 20));
  else if (place === 'moved') response.writeHead(302, { location: `/page/${number}` }).end();
  else response.writeHead(404).end();
}
