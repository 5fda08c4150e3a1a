import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page, ViewportSize } from 'playwright-core';
import { keepPicture } from './browser.ts';

/** How a page looks: its pictures, what axe says of it, and whether it fits. */

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The size of the window on a desk. */
export const desktop: ViewportSize = { width: 1280, height: 900 };

/** What changes the colors or the width of a page without loading it again. */
export type Mode = {
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active' | 'none';
  readonly viewport?: ViewportSize;
};

/** What axe looks at: a part of the page, by a selector for each shadow root on the way to it, by some of its rules. */
export type Examined = { readonly part?: readonly string[]; readonly rules?: readonly string[] };

/** Puts a page that is open into a mode. */
export async function setMode(
  page: Page,
  { colorScheme = 'light', forcedColors = 'none', viewport = desktop }: Mode,
): Promise<void> {
  // Without motion, so that no color is on its way to another one.
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
}

/** Every fault of access that axe finds, whatever its impact, one line each. */
export async function faultsOfAxe(page: Page, { part, rules }: Examined = {}): Promise<string[]> {
  // The policy of the page permits no script of the test, so it comes through the debugger, once for each document.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  const context = part === undefined ? 'document' : JSON.stringify({ fromShadowDom: part });
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: rules }),
  });
  const { violations }: any = await page.evaluate(`axe.run(${context}, ${options})`);
  return violations.flatMap(({ id, nodes }: any) =>
    nodes.map(({ html }: any) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** Checks that nothing on a page is wider than the window. */
export async function assertFits(page: Page, picture: string): Promise<void> {
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= (page.viewportSize()?.width ?? 0), `${picture} is ${width} wide`);
}

/** Keeps a picture of a page under a name, and checks that nothing on it is hard to reach or wider than the window. */
export async function look(page: Page, picture: string, examined: Examined = {}): Promise<void> {
  await keepPicture(page, picture);
  assert.deepEqual(await faultsOfAxe(page, examined), [], picture);
  await assertFits(page, picture);
}
