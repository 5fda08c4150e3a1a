import type { Db } from '../../db/db.ts';
import { readSite, type Site, siteInEffect } from '../../features/site/site-book.ts';
import { givenSite } from '../../setup/site.ts';
import type { Examined, Finding } from './finding.ts';
import { isLocal } from './surroundings.ts';

/** Checks the site: whether what visitors need to comment is there whole, and whether its pages come over TLS. */

/** Where the site is changed. */
const inConsole = 'in the console under System, Site';

/** The findings about a half set-up, which looks to visitors like a page without comments. */
function checkVisitorSite({ origins, sign_in: ways, visitors }: Site): Finding[] {
  const finding = (level: Finding['level'], what: string, mend: string) => [
    { check: 'site', level, what, mend },
  ];
  if (ways.length > 0 && origins.length === 0)
    return finding(
      'warning',
      'Visitors could sign in, but no site may ask them to.',
      `Name the site ${inConsole}, or in CONFAB_CORS_ORIGINS.`,
    );
  if (ways.length === 0 && visitors === 'write')
    return finding(
      'warning',
      'Visitors may write on new pages, but they cannot sign in.',
      `Choose how they sign in ${inConsole}, or in CONFAB_SIGN_IN.`,
    );
  if (ways.length > 0 && visitors !== 'write')
    return finding(
      'note',
      'Visitors can sign in, but pages do not open for them by themselves.',
      `Let visitors write on new pages ${inConsole}, or with CONFAB_PAGES_VISITORS, or create an app for each page.`,
    );
  return [];
}

function checkTls({ origins }: Site, publicUrl: string | undefined): Finding[] {
  const plain = origins.filter((origin) => origin.startsWith('http:') && !isLocal(new URL(origin).hostname));
  if (plain.length === 0 || publicUrl?.startsWith('https:') !== true) return [];
  return [
    {
      check: 'cors',
      level: 'warning',
      what: `Pages without TLS may call the server: ${plain.join(', ')}.`,
      mend: `Serve these pages with https, and name those origins ${inConsole}, or in CONFAB_CORS_ORIGINS.`,
    },
  ];
}

/** Checks the site in effect. */
export async function checkSite({ read }: Db, { config }: Examined): Promise<Finding[]> {
  const site = siteInEffect(givenSite(config), await readSite(read));
  return [...checkVisitorSite(site), ...checkTls(site, config.publicUrl)];
}
