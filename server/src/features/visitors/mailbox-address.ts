import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalidField } from 'confab-contract/problem.ts';
import { lineOfClient } from '../../net/networks.ts';
import { userReaders } from '../users/user-change.ts';

/** The addresses of mailboxes: in one spelling each, and the hashes by which their mails are counted. */

/** What nobody sees in an address, and what ends a host where `domainToASCII` reads it. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const notOfHost = /[/?#\\%:[\]]/;
/** A domain as DNS has it (RFC 1034, section 3.5). */
const domainName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A mailbox as it is compared: without upper case, its domain in ASCII (UTS 46) and without the dot at its end. Throws
 * `validation_failed`.
 */
export function readMailbox(input: string): string {
  const address = userReaders.email(input.normalize('NFC').trim().toLowerCase());
  const { local, domain } = partsOf(address);
  const ascii = notOfHost.test(domain) ? '' : domainToASCII(domain).replace(/\.$/, '');
  if (unseen.test(local) || !domainName.test(ascii) || isIP(ascii) !== 0)
    throw invalidField('/email', 'email', 'must be an email address with the name of a domain');
  return `${local}@${ascii}`;
}

/**
 * The address without what lets one mailbox have many: what follows `+`, and the dots and the second domain of Gmail. It is
 * for counting alone, because elsewhere they can be mailboxes of two people.
 */
function withoutVariants(mailbox: string): string {
  const { local, domain } = partsOf(mailbox);
  const base = local.replace(/^([^+]+)\+.*$/, '$1');
  return domain === 'gmail.com' || domain === 'googlemail.com'
    ? `${base.replaceAll('.', '')}@gmail.com`
    : `${base}@${domain}`;
}

function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: address.slice(at + 1) };
}

/** The address of whom a request for a mail is, as `AddressOf` spells it; undefined where it may stand for everybody. */
export type Asker = string | undefined;

/**
 * Hashes of a mailbox in whatever spelling, and of this with the network that asks. They have a secret of the store, so that
 * nobody who reads the store finds an address by guessing.
 */
export function mailboxHashes(
  secret: string,
  { mailbox, asker }: { readonly mailbox: string; readonly asker: Asker },
): { readonly mailboxHash: Uint8Array; readonly askerHash: Uint8Array } {
  const hash = (text: string) => createHmac('sha256', secret).update(text).digest();
  const line = asker === undefined ? '' : lineOfClient(asker);
  const base = withoutVariants(mailbox);
  return { mailboxHash: hash(`mailbox\n${base}`), askerHash: hash(`asker\n${base}\n${line}`) };
}

/** The network that asks, as a mail names it: an IPv4 address without its last part, or an IPv6 network; undefined where it is not known. */
export function shownAsker(asker: Asker): string | undefined {
  if (asker === undefined) return undefined;
  return asker.includes(':') ? `${lineOfClient(asker)}::/48` : asker.replace(/\d+$/, 'x');
}
