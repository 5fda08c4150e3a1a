import { timestamp } from 'confab-contract/values/time.ts';
import { type Json, json } from '../../kernel/json.ts';
import { type GivenSite, type SiteDocument, siteInEffect } from './site-book.ts';

/** What is set, as its event has it. */
export function renderStored({ modifiedAt, ...site }: SiteDocument): Json {
  return json(JSON.stringify({ ...site, ...modified(modifiedAt) }));
}

/** The site in effect, and what of it settings give. */
export function siteDetail(
  document: SiteDocument,
  { given, possibleWays }: { readonly given: GivenSite; readonly possibleWays: readonly string[] },
): Json {
  const fixed = Object.entries(given).map(([name, { by }]) => [name, by]);
  return json(
    JSON.stringify({
      ...siteInEffect(given, document),
      possible_ways: possibleWays,
      fixed: Object.fromEntries(fixed),
      ...modified(document.modifiedAt),
    }),
  );
}

function modified(at: SiteDocument['modifiedAt']) {
  return at === null ? {} : { modified_at: timestamp(at) };
}
