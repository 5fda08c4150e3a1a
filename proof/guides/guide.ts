import { readGuide } from 'confab-testing/page-code.ts';
import type { Addresses } from './world.ts';

const page = readGuide('elements.md');
const [serverInGuide, siteInGuide] = ['https://confab.example.com', 'https://blog.example.com'];

/** Puts addresses into the place of those of the guide. */
function addressed(code: string, { site, server }: Addresses): string {
  return code.replaceAll(serverInGuide, server).replaceAll(siteInGuide, site);
}

/**
 * A block of code that `docs/elements.md` prints below a heading, with the addresses of a site and a server. Throws where
 * the page has no such block, or where the block does not name the server.
 */
export function guideCode(heading: string, language: string, addresses: Addresses): string {
  const code = page.codeBelow(heading, language);
  if (!code.includes(serverInGuide))
    throw new Error(`the code below ${heading} does not name ${serverInGuide}`);
  return addressed(code, addresses);
}

/** The file that the page prints under its name in a comment. Throws where the page has none or several. */
export function guideFile(name: string, language: string, addresses: Addresses): string {
  const found = page.codeIn(language).filter((code) => code.includes(`/* ${name} */`));
  const [code, ...others] = found;
  if (code === undefined || others.length > 0) throw new Error(`the page has ${name} ${found.length} times`);
  return addressed(code, addresses);
}

/** The style that keeps what is below the comments in its place. */
export const style = page.codeBelow('## Sites that are built on a server', 'css');
