/**
 * The permanent ids of imported items. They depend only on the source, so the same export, or a later one of the same
 * site, leads to the same apps, users and comments.
 */
import { createHash } from 'node:crypto';
import { uidCharactersMax } from 'confab-contract/values/ids.ts';
import type { ImportedAuthor, ImportFile } from './import-file.ts';

/**
 * The uid that Confab 0.1.0 gave the app of a page: the address without scheme, fragment and trailing slashes. It has
 * slashes, which web components put into a path unescaped, so apps are made with `pageUid` instead (decision 0060). This
 * one finds the apps of 0.1.0, and names the sources of comment ids, which must stay the same. Undefined when the link is
 * no http address.
 */
export function formerPageUid(link: string): string | undefined {
  const trimmed = link.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const fragment = url.hash.startsWith('#!') ? url.hash : '';
  const address = `${url.host}${url.pathname.replace(/(?<!\/)\/+$/, '')}${url.search}${fragment}`;
  if (address.length <= uidCharactersMax) return address;
  const suffix = `-${digest(address)}`;
  return address.slice(0, uidCharactersMax - suffix.length) + suffix;
}

/**
 * The uid of the user for an author: the source's kind, `-` and 32 hexadecimal digits. Two comments have the same
 * author when they have the same Disqus account; or else the same email address and name (ignoring case and white
 * space); or else, without an address, the same name within one source. The address alone is not enough: it was never
 * verified, and a wrong merge attributes words to the wrong author, while a wrong split does no harm. WordPress itself
 * recognises a known author by both (`check_comment`). The address is hashed because uids are public.
 */
export function authorUid(file: Pick<ImportFile, 'kind' | 'source'>, author: ImportedAuthor): string {
  const name = author.name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
  const email = author.email?.trim().toLowerCase();
  const person =
    author.username !== undefined
      ? ['account', author.username]
      : email !== undefined && email !== ''
        ? ['email', email, name]
        : ['name', author.site ?? file.source, name];
  return `${file.kind}-${digest(JSON.stringify(person))}`;
}

/**
 * The id of a comment without one in the file, derived from everything that distinguishes it. It begins with
 * `content-`, which no source uses in its ids.
 */
export function contentId(parts: readonly (string | number | undefined)[]): string {
  return `content-${digest(JSON.stringify(parts.map((part) => part ?? null)))}`;
}

/**
 * The longest id of a comment that is stored unchanged, in UTF-16 code units: at most 1,536 bytes, which with the
 * source fit into an index of PostgreSQL (2,704 bytes).
 */
const idCharactersMax = 512;

/**
 * The id of a comment in the store: its id in the file, or `long-` and 32 hexadecimal digits. WordPress and Disqus number
 * their comments; other programs write the same formats with other ids.
 */
export function keptId(id: string): string {
  return id.length <= idCharactersMax ? id : `long-${digest(id)}`;
}

/** The source of a WordPress site; different sites use the same comment numbers. */
export function wordpressSource(siteAddress: string | undefined): string {
  const site = siteAddress === undefined ? undefined : formerPageUid(siteAddress);
  return `wordpress:${site ?? 'unknown'}`;
}

/** Disqus numbers the comments of all sites in one sequence. */
export const disqusSource = 'disqus';

/** 128 bits of SHA-256 in hexadecimal: two of a billion names are equal with a chance below 10^-20. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
