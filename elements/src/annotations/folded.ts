/**
 * A text as quotes are compared with it. White space, letter case and the form of quotation marks and dashes are left out:
 * they change when a page is laid out, typeset or built anew, while its words stay.
 */

/** A text without what is not compared, and where each of its characters is in the text. */
export type Folded = {
  readonly text: string;
  /** The position in the text of each character, and behind the last one the length of the text. */
  readonly at: Uint32Array;
};

/** What is left out besides white space: soft hyphens, joiners and marks of direction. */
const ignored = /[\s\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]/;
/** Characters that are written in several ways, each with the one that they count as. */
const alike: Readonly<Record<string, string>> = {
  '`': "'",
  '´': "'",
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '″': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
};

/** What each character below 0x3000 counts as; 0 where it is left out. One table for all texts, because each has thousands. */
const tableMax = 0x3000;
const table = Uint16Array.from({ length: tableMax }, (_, code) => codeOf(String.fromCharCode(code)));

function codeOf(character: string): number {
  if (ignored.test(character)) return 0;
  const lower = (alike[character] ?? character).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : character.charCodeAt(0);
}

/** Makes a text of codes, which `String.fromCharCode` does for some thousand at once and more slowly. */
const decoder = new TextDecoder('utf-16le');

/** Folds a text. */
export function fold(text: string): Folded {
  const codes = new Uint16Array(text.length);
  const at = new Uint32Array(text.length + 1);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const counted = code < tableMax ? table[code] : codeOf(text.charAt(index));
    if (!counted) continue;
    codes[length] = counted;
    at[length] = index;
    length += 1;
  }
  at[length] = text.length;
  return { text: decoder.decode(codes.subarray(0, length)), at: at.subarray(0, length + 1) };
}
