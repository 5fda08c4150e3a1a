/**
 * Makes `server/src/kernel/look-alikes.ts`, by which names that look alike are found: `node tools/look-alikes.ts FOLDER`. The folder
 * has two files of one version of Unicode, which is rare enough to fetch them by hand:
 * https://www.unicode.org/Public/17.0.0/security/confusables.txt and https://www.unicode.org/Public/17.0.0/ucd/UnicodeData.txt.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';

/**
 * Letters that UTS 39 leaves out, because it compares letters of identifiers: signs that are drawn as a letter with strokes,
 * and letters of other scripts that are drawn like a Latin one. What their names say is not here, nor are signs of keyboards
 * such as $ and @, which people put before and behind a name.
 */
const drawnAs: { readonly [sign: string]: string } = {
  ...{
    '₣': 'F',
    '₢': 'C',
    '₦': 'N',
    '₱': 'P',
    '₲': 'G',
    '₳': 'A',
    '₴': 'S',
    '₵': 'C',
    '₸': 'T',
    '₺': 'L',
    '₿': 'B',
  },
  ...{ '฿': 'B', '₽': 'P', π: 'n', ժ: 'd', ᥒ: 'n' },
};

// A small capital, and a letter in a black square or circle, whatever else it resembles.
const styled =
  /^(?:LATIN LETTER SMALL CAPITAL|(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER) (?:TURNED |REVERSED |INVERTED |BARRED )?([A-Z])$/;
// A letter that is turned or has a mark, where UTS 39 says nothing of it.
const changed =
  /^LATIN (?:SMALL|CAPITAL) LETTER (?:(?:TURNED|REVERSED|INVERTED|SIDEWAYS|OPEN|BARRED|SCRIPT|BLACKLETTER|CLOSED|TAILLESS|STIRRUP|HALF) )*([A-Z])(?: WITH .*)?$/;

const textOf = (codes: string) =>
  codes
    .trim()
    .split(/\s+/)
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('');

function read(folder: string): { readonly version: string; readonly targets: Map<string, string> } {
  const lines = readFileSync(join(folder, 'confusables.txt'), 'utf8').split('\n');
  const version = lines
    .map((line) => /^# Version: (\S+)/.exec(line)?.[1])
    .find((found) => found !== undefined);
  if (version === undefined) throw new Error('confusables.txt does not say its version');
  const targets = new Map<string, string>();
  for (const line of lines) {
    const [source, target, kind] = line.split(';');
    if (source !== undefined && target !== undefined && kind !== undefined)
      targets.set(textOf(source), textOf(target));
  }
  for (const line of readFileSync(join(folder, 'UnicodeData.txt'), 'utf8').split('\n')) {
    const [code = '', name = ''] = line.split(';');
    const isStyled = styled.exec(name)?.[1];
    const letter = isStyled ?? changed.exec(name)?.[1];
    if (letter === undefined) continue;
    const source = textOf(code);
    if (isStyled !== undefined || !targets.has(source)) targets.set(source, letter.toLowerCase());
  }
  for (const [sign, letter] of Object.entries(drawnAs)) targets.set(sign, letter);
  for (let code = 0x61; code <= 0x7a; code += 1) targets.delete(String.fromCodePoint(code));
  targets.set('m', 'rn');
  return { version, targets };
}

/** What a text looks like in the end: what the letters that it looks like look like in turn. */
function settled(targets: ReadonlyMap<string, string>, source: string): string {
  let text = source;
  for (let turn = 0; turn < 8; turn += 1) {
    const next = [...text.normalize('NFD')].map((each) => targets.get(each) ?? each).join('');
    if (next === text) return text;
    text = next;
  }
  throw new Error(`what ${source} looks like does not settle: ${text}`);
}

function tableOf(targets: ReadonlyMap<string, string>): string {
  const byTarget = new Map<string, number[]>();
  for (const source of targets.keys()) {
    const target = settled(targets, source);
    if (target !== source)
      byTarget.set(target, [...(byTarget.get(target) ?? []), source.codePointAt(0) ?? 0]);
  }
  return [...byTarget]
    .map(([target, sources]) => {
      const codes = [...target].map((each) => (each.codePointAt(0) ?? 0).toString(36)).join('.');
      let before = 0;
      const deltas = sources
        .toSorted((one, other) => one - other)
        .map((code) => {
          const delta = (code - before).toString(36);
          before = code;
          return delta;
        });
      return `${codes}:${deltas.join(' ')}`;
    })
    .toSorted()
    .join('\n');
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('say in which folder confusables.txt and UnicodeData.txt are');
const { version, targets } = read(folder);
writeFileSync(
  join(root, 'server/src/kernel/look-alikes.ts'),
  `/**
 * What characters look like, from \`confusables.txt\` of UTS 39 and the names of letters. Made by \`tools/look-alikes.ts\` from
 * data files of Unicode (© Unicode, Inc., Unicode License v3, https://www.unicode.org/license.txt). \`skeleton.ts\` reads it.
 */
export const lookAlikes = {
  /** The version of Unicode. */
  unicode: '${version}',
  /**
   * A line for each text that characters look like: its code points in base 36, then those of the characters, each as the
   * difference from the one before.
   */
  table: \`
${tableOf(targets)}\`,
};
`,
);
