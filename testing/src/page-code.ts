import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rootUrl } from 'confab-tools/places.ts';

/** The blocks of code of a guide, by its file in `docs`. */
export function readGuide(name: string): {
  /** The first block in a language below a heading. */
  readonly codeBelow: (heading: string, language: string) => string;
  /** Every block in a language, in the order of the page. */
  readonly codeIn: (language: string) => string[];
} {
  const page = readFileSync(new URL(`docs/${name}`, rootUrl), 'utf8');
  return {
    codeBelow(heading, language) {
      const from = page.indexOf(`\n${heading}\n`);
      assert.ok(from !== -1, `the page has the heading ${heading}`);
      const start = page.indexOf(`\n\`\`\`${language}\n`, from);
      const code = page.slice(page.indexOf('\n', start + 1) + 1);
      return code.slice(0, code.indexOf('\n```') + 1);
    },
    codeIn: (language) =>
      [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
        .filter(([, own]) => own === language)
        .map(([, , code = '']) => code),
  };
}
