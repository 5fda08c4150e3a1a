import type { Driver } from './driver.ts';
import { startGround } from './ground.ts';

/** What an engine does with what the elements use. */

const can = (condition: string) => `(${condition}) ? 'yes' : 'no'`;
const supports = (declaration: string) => can(`CSS.supports(${JSON.stringify(declaration)})`);

/** A row of the table: an expression of a page under the strict policy. */
const traits: { readonly [trait: string]: string } = {
  'width of a scroll bar, which the page loses': `(innerWidth - document.documentElement.clientWidth) + ' px'`,
  'narrowest window': `innerWidth + ' px'`,
  'keeps the place of who reads by itself (`overflow-anchor`)': supports('overflow-anchor: auto'),
  'a field grows with its text (`field-sizing`)': supports('field-sizing: content'),
  'a popover keeps to its button (`anchor-name`)': supports('anchor-name: --a'),
  'colours of both schemes (`light-dark()`)': supports('color: light-dark(red, red)'),
  'marks without elements (`CSS.highlights`)': can('CSS.highlights !== undefined'),
  'refuses texts as HTML (Trusted Types)': `(() => {
    try { document.createElement('p').innerHTML = 'text'; return 'no'; } catch { return 'yes'; }
  })()`,
  'one tab sends for all (`navigator.locks`)': can('navigator.locks !== undefined'),
  'decodes pictures for the preview (`createImageBitmap`)': can(`typeof createImageBitmap === 'function'`),
  'splits a text as a reader does (`Intl.Segmenter`)': can('Intl.Segmenter !== undefined'),
  'sees a violation of the policy by an event': can(`confabFaults.some((each) => each.includes('policy'))`),
};

/** What an engine does, a figure for each trait. */
export async function traitsOf(driver: Driver): Promise<ReadonlyMap<string, string>> {
  await using ground = await startGround(driver);
  const narrow = { width: 390, height: 844 };
  const { page, close } = await ground.open({ path: '/traits', viewport: narrow });
  const figures = new Map<string, string>();
  for (const [trait, expression] of Object.entries(traits))
    figures.set(trait, String(await page.evaluate(expression)));
  await close();
  return figures;
}
