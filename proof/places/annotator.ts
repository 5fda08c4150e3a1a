import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { Matcher, Part, Task } from './matchers.ts';

/** Apache Annotator in Chromium: each text is one text node, so that offsets in the node are positions in the text. */

/** What the page does: it describes quotes in one text, and finds the first match of each in another. */
const inPage = `
import { createTextQuoteSelectorMatcher, describeTextQuote } from '@apache-annotator/dom';
const write = (text) => {
  const element = document.createElement('p');
  element.textContent = text;
  document.body.replaceChildren(element);
  return element;
};
const around = 32;
globalThis.annotate = async ({ before, after, quotes, isDescribed }) => {
  const old = write(before);
  const selectors = [];
  for (const { start, end } of quotes) {
    const range = document.createRange();
    range.setStart(old.firstChild, start);
    range.setEnd(old.firstChild, end);
    selectors.push(
      isDescribed
        ? await describeTextQuote(range, old)
        : {
            type: 'TextQuoteSelector',
            exact: before.slice(start, end),
            prefix: before.slice(Math.max(0, start - around), start),
            suffix: before.slice(end, end + around),
          },
    );
  }
  const scope = write(after);
  const begun = performance.now();
  const places = [];
  for (const selector of selectors) {
    const { value: range } = await createTextQuoteSelectorMatcher(selector)(scope).next();
    places.push(range && { start: range.startOffset, end: range.endOffset });
  }
  return { places, ms: performance.now() - begun };
};`;

type Answer = { readonly places: readonly (Part | null | undefined)[]; readonly ms: number };

/** Opens a page of a browser with Apache Annotator in it, and creates its two ways to keep a quote. */
export async function loadAnnotator(browser: Browser): Promise<readonly Matcher[]> {
  const { outputFiles } = await build({
    stdin: { contents: inPage, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    write: false,
  });
  const page = await browser.newPage();
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  return [
    matcherOf(page, 'Apache Annotator 0.2.0, as it describes quotes', true),
    matcherOf(page, 'Apache Annotator 0.2.0, with 32 characters of context', false),
  ];
}

function matcherOf(page: Page, name: string, isDescribed: boolean): Matcher {
  return {
    name,
    async place(task: Task) {
      const call = `annotate(${JSON.stringify({ ...task, isDescribed })})`;
      const { places, ms } = await page.evaluate<Answer>(call);
      return { places: places.map((place) => place ?? undefined), ms };
    },
  };
}
