import { notFound } from 'confab-contract/problem.ts';
import { signingInOperations } from 'confab-contract/signing-in.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { addressId, type RateLimits } from '../../kernel/rate-limits.ts';
import { type PagesSetting, pageHostsOf, type Site } from '../site/site-book.ts';
import type { Puzzles } from './puzzles.ts';
import type { VisitorNames } from './visitor-names.ts';

/** The ways of signing in that an operator allows, and what they need. */
export type SignIn = {
  /** Its `sign_in` has the ways, its `origins` the pages that may ask who their visitor is. */
  readonly site: () => Site;
  /** Undefined where guests solve none. */
  readonly puzzles: () => Puzzles | undefined;
  readonly names: VisitorNames;
  /** The secret of the hashes by which mailboxes are counted and refused. */
  readonly mailboxSecret: string;
  /** Which visitors may have a picture: none, those who are no guests, or all. */
  readonly pictures: VisitorKinds;
  /** Which visitors may add pictures to comments. */
  readonly commentPictures: VisitorKinds;
};

/** Which visitors may do something: none, those who are no guests, or all. */
export type VisitorKinds = 'none' | 'confirmed' | 'all';

/** Whether a visitor is one of those who may. */
export function includesVisitor(kinds: VisitorKinds, { way }: User): boolean {
  return kinds === 'all' || (kinds === 'confirmed' && way !== 'guest');
}

/** The parts of the server that signing in uses. */
export type SignInParts = { readonly signIn: SignIn };

/** Throws `not_found` for a way that the operator does not allow. */
export function assertWay({ site }: SignIn, way: string): void {
  if (!site().sign_in.includes(way)) throw notFound('way of signing in');
}

/** Says how visitors can sign in. Pages of any origin may read it, so that a site that is not listed can say so. */
export const getSignIn = handler(
  signingInOperations.getSignIn,
  async ({ raw }, { signIn, pages }: SignInParts & { readonly pages: PagesSetting }) => {
    const site = signIn.site();
    const body = {
      ways: site.sign_in,
      has_puzzle: signIn.puzzles() !== undefined,
      pictures: signIn.pictures,
      comment_pictures: signIn.commentPictures,
      opens_pages: pageHostsOf(site, pages).length > 0,
      lacks: lackingOf(site, raw.headers.origin),
    };
    const headers = { 'access-control-allow-origin': '*', vary: 'Origin' };
    return { status: 200, headers, body: json(JSON.stringify(body)) };
  },
);

/** What is missing so that visitors comment on the pages of an origin. */
function lackingOf({ origins, sign_in: ways, visitors }: Site, origin: string | undefined): string[] {
  return [
    ...(origin === undefined || origins.includes(origin) ? [] : ['origins']),
    ...(ways.length > 0 ? [] : ['sign_in']),
    ...(visitors === 'write' ? [] : ['visitors']),
  ];
}

/** Makes a puzzle. */
export const makePuzzle = handler(
  signingInOperations.makePuzzle,
  async ({ raw }, { signIn, rateLimits }: SignInParts & { readonly rateLimits: RateLimits }) => {
    const puzzles = signIn.puzzles();
    if (puzzles === undefined) throw notFound('puzzle');
    const { clientAddress } = raw;
    const usage =
      clientAddress === undefined
        ? undefined
        : rateLimits.peek('address', addressId(clientAddress), 'signin');
    return json(JSON.stringify(await puzzles.make(usage)));
  },
);
