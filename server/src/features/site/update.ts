import type { Clearable } from 'confab-contract/operation.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { type SiteUpdate, siteOperations } from 'confab-contract/site.ts';
import { handler } from '../../binding/handler.ts';
import { append, type NewEvent } from '../../events/events.ts';
import { Faults } from '../../kernel/faults.ts';
import type { Input } from '../../kernel/input.ts';
import type { Principal } from '../../kernel/principal.ts';
import { originOf } from '../../kernel/web-address.ts';
import type { SiteParts } from './get.ts';
import { type GivenSite, readSite, type SiteDocument, writeSite } from './site-book.ts';
import { renderStored, siteDetail } from './site-json.ts';

type Parts = SiteParts & { readonly actorOf: (caller: Principal) => NewEvent['actor'] };

type Change = Clearable<SiteUpdate>;

const fieldNames = ['origins', 'sign_in', 'visitors', 'approval'] as const;

/** Changes what is set for the site, and resolves once this node knows of it. Throws `validation_failed`. */
export const updateSite = handler(
  siteOperations.updateSite,
  prepare,
  async ({ db, caller, body, at }, { siteBook, possibleWays, actorOf }: Parts) => {
    const document = await db.write(async (tx) => {
      const before = await readSite(tx);
      const after = changed(before, body);
      if (isEqual(before, after)) return before;
      const next = { ...after, version: before.version + 1, modifiedAt: at };
      await writeSite(tx, next);
      const entity = { id: next.version, json: renderStored(next) };
      await append(tx, { action: 'site_updated', actor: actorOf(caller), appId: null, entity, at });
      return next;
    });
    await siteBook.look();
    return siteDetail(document, { given: siteBook.given, possibleWays });
  },
);

function prepare(input: Input<Change>, _call: unknown, { siteBook: { given }, possibleWays }: Parts) {
  const isPossible = (way: string) => possibleWays.includes(way);
  return input
    .read({ origins: readOrigins, sign_in: (ways: readonly string[]) => readWays(ways, isPossible) })
    .map((change) => {
      assertNotGiven(change, given);
      return change;
    });
}

/** Refuses each field that a setting of the node gives. */
function assertNotGiven(change: Change, given: GivenSite): void {
  const faults = new Faults();
  for (const name of fieldNames) {
    const by = given[name]?.by;
    if (change[name] === undefined || by === undefined) continue;
    faults.add(() => ({ pointer: `/${name}`, code: 'fixed', message: `is given by ${by}: change it there` }));
  }
  if (faults.count > 0) throw faults.problem('validation_failed');
}

/** Origins as browsers send them, each once. */
function readOrigins(written: readonly string[]): string[] {
  const read = written.map((text, at) => {
    const found = originOf(text);
    if (found === undefined)
      throw invalidField(`/origins/${at}`, 'origin', 'must be an origin such as https://blog.example.com');
    return found;
  });
  return [...new Set(read)];
}

function readWays(ways: readonly string[], isPossible: (way: string) => boolean): string[] {
  for (const [at, way] of ways.entries()) {
    if (isPossible(way)) continue;
    const message =
      way === 'email'
        ? 'needs a mail server, which CONFAB_SMTP_URL names'
        : 'must be guest, email or a provider in CONFAB_SIGN_IN_PROVIDERS';
    throw invalidField(`/sign_in/${at}`, 'not_possible', message);
  }
  return [...new Set(ways)];
}

/** What is set after a change: null sets a field back. */
function changed({ version, modifiedAt, ...before }: SiteDocument, change: Change): SiteDocument {
  const fields = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  return { version, modifiedAt, ...(Object.fromEntries(fields) as SiteUpdate) };
}

function isEqual(a: SiteDocument, b: SiteDocument): boolean {
  return fieldNames.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}
