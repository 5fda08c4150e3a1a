import { readGuide } from '../../test/support/page-code.ts';

const page = readGuide('elements.md');
const serverInGuide = 'https://confab.example.com';

/**
 * A block of code that `docs/elements.md` prints below a heading, with the address of a server in the place of that of the
 * guide. Throws where the page has no such block, or where the block does not name the server.
 */
export function guideCode(heading: string, language: string, server: string): string {
  const code = page.codeBelow(heading, language);
  if (!code.includes(serverInGuide))
    throw new Error(`the code below ${heading} does not name ${serverInGuide}`);
  return code.replaceAll(serverInGuide, server);
}

/** The file that `docs/elements.md` prints under its name in a comment. Throws where the page has none or several. */
export function guideFile(name: string, language: string, server: string): string {
  const found = page.codeIn(language).filter((code) => code.includes(`/* ${name} */`));
  const [code, ...others] = found;
  if (code === undefined || others.length > 0) throw new Error(`the page has ${name} ${found.length} times`);
  return code.replaceAll(serverInGuide, server);
}

/** The style that keeps what is below the comments in its place. */
export const style = page.codeBelow('## Sites that are built on a server', 'css');
