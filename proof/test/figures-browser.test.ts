import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import type { Browser, Page } from 'playwright-core';
import { readFigures } from '../figures/data.ts';
import { picturesOf } from '../figures/pictures.ts';
import { someFigures } from './figure-data.ts';

/** A page that is 390 pixels wide leaves so much for a picture. */
const phoneWidth = 358;
/** The least that people can read, in pixels. */
const textPxMin = 12;

/** A text or a shape as the browser draws it, in pixels of the page. */
type Drawn = {
  readonly kind: string;
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly textPx: number;
  readonly fill: string;
  readonly stroke: string;
};

let browser: Browser;

/** Every text and shape of a picture that is so wide. */
async function drawn(page: Page, svg: string, width: number): Promise<{ all: Drawn[]; height: number }> {
  await page.setContent(
    `<style>body { margin: 16px; background: Canvas } svg { width: ${width}px; height: auto; display: block }</style>${svg}`,
  );
  return await page.evaluate(`(() => {
    const svg = document.querySelector('svg');
    const origin = svg.getBoundingClientRect();
    const scale = origin.width / svg.viewBox.baseVal.width;
    const all = [...svg.querySelectorAll('text, rect, path')].map((element) => {
      const box = element.getBoundingClientRect();
      const { fontSize, fill, stroke } = getComputedStyle(element);
      return {
        kind: element.getAttribute('class'),
        text: element.tagName === 'text' ? element.textContent : '',
        left: box.left - origin.left,
        right: box.right - origin.left,
        top: box.top - origin.top,
        bottom: box.bottom - origin.top,
        textPx: parseFloat(fontSize) * scale,
        fill,
        stroke,
      };
    });
    return { all, height: origin.height };
  })()`);
}

/** The luminance of a colour as \`rgb(…)\` (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The texts that overlap another, in pairs. */
function overlaps(all: readonly Drawn[]): string[] {
  const texts = all.filter(({ text }) => text !== '');
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter(
        (other) =>
          one.left < other.right &&
          other.left < one.right &&
          // The box of a line of text has room above and below its letters.
          one.top + 3 < other.bottom - 3 &&
          other.top + 3 < one.bottom - 3,
      )
      .map((other) => `"${one.text}" and "${other.text}"`),
  );
}

// The pictures can be read on a telephone and on a page of a repository, in both schemes.
describe('the pictures of the figures in a browser', () => {
  before(async () => {
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
  });

  for (const [source, data] of Object.entries({ committed: readFigures(), hostile: someFigures() }))
    for (const { name, svg } of picturesOf(data))
      test(`${name} (${source}): legible, apart and within the picture on a telephone`, async () => {
        const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
        const { all, height } = await drawn(page, svg, phoneWidth);
        await page.close();
        assert.deepEqual(overlaps(all), []);
        for (const { text, textPx, left, right, bottom } of all) {
          if (text !== '') assert.ok(textPx >= textPxMin, `"${text}" has ${textPx} pixels`);
          assert.ok(
            left >= 0 && right <= phoneWidth && bottom <= height,
            `"${text}" ends at ${right}, ${bottom}`,
          );
        }
      });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`have enough contrast in the ${colorScheme} scheme`, async () => {
      const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 900 } });
      const seen = new Set<string>();
      for (const { name, svg } of picturesOf(someFigures())) {
        const { all } = await drawn(page, svg, phoneWidth);
        await keepPicture(page, `figures-${name}-${colorScheme}`);
        const ground = all.find(({ kind }) => kind === 'ground')?.fill ?? '';
        assert.equal(luminance(ground) < 0.2, colorScheme === 'dark', `the ground is ${ground}`);
        for (const { kind, text, fill, stroke } of all) {
          seen.add(kind);
          if (text !== '')
            assert.ok(contrast(fill, ground) >= 4.5, `${kind} of ${name}: ${fill} on ${ground}`);
          if (kind === 'own' || kind === 'other')
            assert.ok(contrast(fill, ground) >= 3, `${kind} of ${name}: ${fill} on ${ground}`);
          if (kind === 'mark') assert.ok(contrast(stroke, ground) >= 3, `${kind} of ${name}`);
        }
      }
      await page.close();
      for (const kind of ['title', 'text', 'remark', 'bad', 'own', 'other', 'mark', 'track'])
        assert.ok(seen.has(kind), `a picture has ${kind}`);
    });
});
