/**
 * Reads the records of a large JSON file one after the other. The file is scanned chunk by chunk, and only the text of one
 * record is kept at a time, so memory does not grow with the file. A file may hold several JSON values one after the
 * other: Remark42 writes one for each comment, and pages of an API can be joined like this.
 *
 * The scanner follows the grammar of RFC 8259 as far as it must to know where a value ends; `JSON.parse` checks the
 * records themselves. Broken JSON makes the whole file unreadable, because nothing says where the next record begins.
 */
import { beginningOf } from '../../../kernel/excerpt.ts';
import { type ExportFile, type FilePosition, ImportError } from '../import-file.ts';
import { advance, fileText } from './file-text.ts';

/** A value of the file. */
export interface JsonRecord {
  /** Which value of its path it is, from 1. */
  readonly number: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** The most levels of arrays and objects. Replies within replies take three levels each in an export of Cusdis. */
const depthMax = 512;
/** The most characters of a record: some hundred of the longest comments, which a discussion of GitHub can hold. */
export const recordCharactersMax = 32 * 1024 * 1024;
/** The most characters of a name, a number or a literal outside of a record. */
const wordCharactersMax = 1000;

const numberOrLiteral = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const wordEnd = /[\s,:[\]{}"]/g;
/** What ends a run of plain characters in a text: a quote, a backslash or a control character. */
const stringStop = /["\\]|[^ -\uFFFF]/g;

/** What may come next: a value, a name, what follows a name or a value; `first` also lets the array or object end. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'separator';

interface Container {
  readonly isArray: boolean;
  readonly path: string;
  /** The name of the value that is being read. */
  name: string;
}

interface Token {
  readonly kind: 'string' | 'word';
  readonly isName: boolean;
  /** The text of a name or word so far. */
  text: string;
  isEscaped: boolean;
}

interface Kept {
  readonly path: string;
  readonly depth: number;
  readonly at: FilePosition;
  readonly pieces: string[];
  characters: number;
}

/**
 * Calls `onRecord` for each value at one of `paths`, which consist of `$`, `[]` for the items of an array and `.name` for
 * a property; `$` alone is each value of the file. Returns the paths of `paths` whose array the file has, and throws
 * `ImportError` for anything else than JSON.
 */
export async function readJson(
  file: ExportFile,
  paths: readonly string[],
  onRecord: (path: string, record: JsonRecord) => void,
): Promise<ReadonlySet<string>> {
  const scanner = new JsonScanner(file.name, new Set(paths), onRecord);
  for await (const text of fileText(file)) scanner.read(text);
  scanner.end();
  return scanner.arrays;
}

class JsonScanner {
  /** Those of the wanted paths whose array is in the file. */
  readonly arrays = new Set<string>();
  readonly #fileName: string;
  readonly #paths: ReadonlySet<string>;
  readonly #onRecord: (path: string, record: JsonRecord) => void;
  readonly #stack: Container[] = [];
  readonly #numbers = new Map<string, number>();
  #expected: Expected = 'value';
  #token: Token | undefined;
  #kept: Kept | undefined;
  /** The chunk, where what is kept of it begins, and a place in it whose position in the file is known. */
  #text = '';
  #keptFrom = 0;
  #known: { at: FilePosition; index: number } = { at: { line: 1, column: 1 }, index: 0 };
  #hasValue = false;

  constructor(
    fileName: string,
    paths: ReadonlySet<string>,
    onRecord: (path: string, record: JsonRecord) => void,
  ) {
    this.#fileName = fileName;
    this.#paths = paths;
    this.#onRecord = onRecord;
  }

  /** Reads the next chunk. */
  read(text: string): void {
    this.#known = { at: this.#positionAt(this.#text.length), index: 0 };
    this.#text = text;
    this.#keptFrom = 0;
    let index = 0;
    while (index < text.length) index = this.#token === undefined ? this.#step(index) : this.#go(index);
    this.#keep(text.length);
  }

  /** Ends the file. Throws where it is cut off. */
  end(): void {
    const { length } = this.#text;
    if (this.#token?.kind === 'word' && this.#stack.length === 0) this.#endWord(length);
    if (this.#stack.length > 0 || this.#token !== undefined) this.#refuse(length, 'the file is cut off');
    if (!this.#hasValue) throw new ImportError(this.#fileName, 'the file is empty');
  }

  #positionAt(index: number): FilePosition {
    const at = advance(this.#known.at, this.#text.slice(this.#known.index, index));
    this.#known = { at, index };
    return at;
  }

  #refuse(index: number, sentence: string): never {
    throw new ImportError(this.#fileName, sentence, this.#positionAt(index));
  }

  /** Reads one character between tokens; returns the index of the next. */
  #step(index: number): number {
    const character = this.#text[index] ?? '';
    if (/[ \t\r\n\uFEFF]/.test(character)) return index + 1;
    const isFirst = !this.#hasValue && this.#stack.length === 0;
    if (isFirst && character !== '{' && character !== '[')
      this.#refuse(index, `the file is not JSON: it begins with ${JSON.stringify(character)}`);
    if (character === ']' || character === '}') return this.#close(index, character);
    switch (this.#expected) {
      case 'colon':
        if (character !== ':') break;
        this.#expected = 'value';
        return index + 1;
      case 'separator':
        if (character !== ',') break;
        this.#expected = this.#stack.at(-1)?.isArray === true ? 'value' : 'name';
        return index + 1;
      case 'name':
      case 'first name':
        if (character !== '"') break;
        this.#token = { kind: 'string', isName: true, text: '', isEscaped: false };
        return index + 1;
      default:
        return this.#begin(index, character);
    }
    this.#refuse(index, `not valid JSON: ${JSON.stringify(character)} is out of place`);
  }

  /** Begins a value. */
  #begin(index: number, character: string): number {
    this.#hasValue = true;
    const above = this.#stack.at(-1);
    const path = above === undefined ? '$' : `${above.path}${above.isArray ? '[]' : `.${above.name}`}`;
    if (this.#kept === undefined && this.#paths.has(path)) {
      const at = this.#positionAt(index);
      this.#kept = { path, depth: this.#stack.length, at, pieces: [], characters: 0 };
      this.#keptFrom = index;
    }
    if (character === '{' || character === '[') {
      const isArray = character === '[';
      // Below what no path names, and within a record, paths are of no use.
      const isNamed = this.#kept === undefined && path.length <= wordCharactersMax;
      if (isArray && isNamed && this.#paths.has(`${path}[]`)) this.arrays.add(`${path}[]`);
      if (this.#stack.push({ isArray, path: isNamed ? path : '', name: '' }) > depthMax)
        this.#refuse(index, `values nest deeper than ${depthMax}`);
      this.#expected = isArray ? 'first value' : 'first name';
      return index + 1;
    }
    if (character === '"') {
      this.#token = { kind: 'string', isName: false, text: '', isEscaped: false };
      return index + 1;
    }
    if (!/[-\w]/.test(character))
      this.#refuse(index, `not valid JSON: ${JSON.stringify(character)} is out of place`);
    this.#token = { kind: 'word', isName: false, text: '', isEscaped: false };
    return index;
  }

  #close(index: number, character: ']' | '}'): number {
    const above = this.#stack.at(-1);
    const isExpected =
      this.#expected === 'separator' ||
      this.#expected === (above?.isArray === true ? 'first value' : 'first name');
    if (above === undefined || above.isArray !== (character === ']') || !isExpected)
      this.#refuse(index, `not valid JSON: ${JSON.stringify(character)} is out of place`);
    this.#stack.pop();
    this.#endValue(index + 1);
    return index + 1;
  }

  /** Continues a token; returns the index after what was read of it. */
  #go(index: number): number {
    return this.#token?.kind === 'word' ? this.#goWord(index) : this.#goString(index);
  }

  #goWord(index: number): number {
    const token = this.#token as Token;
    wordEnd.lastIndex = index;
    const stop = wordEnd.exec(this.#text)?.index ?? this.#text.length;
    this.#addToWord(index, this.#text.slice(index, stop));
    if (stop < this.#text.length || token.text.length === 0) this.#endWord(stop);
    return stop;
  }

  #addToWord(index: number, text: string): void {
    const token = this.#token as Token;
    token.text += text;
    if (token.text.length > wordCharactersMax)
      this.#refuse(index, `a name or number has more than ${wordCharactersMax} characters`);
  }

  #endWord(index: number): void {
    const { text } = this.#token as Token;
    if (!numberOrLiteral.test(text))
      this.#refuse(index, `not valid JSON: ${JSON.stringify(beginningOf(text, 40))} is no value`);
    this.#token = undefined;
    this.#endValue(index);
  }

  #goString(index: number): number {
    const token = this.#token as Token;
    let from = index;
    if (token.isEscaped) {
      from += 1;
      token.isEscaped = false;
    }
    stringStop.lastIndex = from;
    const stop = stringStop.exec(this.#text)?.index ?? this.#text.length;
    // Names are needed for paths alone, in which nothing is escaped.
    if (token.isName && this.#kept === undefined) this.#addToWord(index, this.#text.slice(index, stop));
    const character = this.#text[stop];
    if (character === undefined) return stop;
    if (character === '\\') {
      token.isEscaped = true;
      if (token.isName && this.#kept === undefined) this.#addToWord(stop, character);
      return stop + 1;
    }
    if (character !== '"') this.#refuse(stop, 'not valid JSON: a text is not closed on its line');
    this.#token = undefined;
    if (token.isName) {
      const above = this.#stack.at(-1);
      if (above !== undefined) above.name = token.text;
      this.#expected = 'colon';
    } else this.#endValue(stop + 1);
    return stop + 1;
  }

  /** Ends a value whose text ends before `end`, and hands it out if it is a record. */
  #endValue(end: number): void {
    this.#expected = this.#stack.length === 0 ? 'value' : 'separator';
    const kept = this.#kept;
    if (kept === undefined || kept.depth !== this.#stack.length) return;
    this.#keep(end);
    this.#kept = undefined;
    const number = (this.#numbers.get(kept.path) ?? 0) + 1;
    this.#numbers.set(kept.path, number);
    this.#onRecord(kept.path, { number, line: kept.at.line, value: this.#parse(kept) });
  }

  /** Keeps the text of the record up to `end`. */
  #keep(end: number): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    kept.characters += end - this.#keptFrom;
    if (kept.characters > recordCharactersMax)
      throw new ImportError(
        this.#fileName,
        `a record has more than ${recordCharactersMax / 1024 ** 2} million characters`,
        kept.at,
      );
    kept.pieces.push(this.#text.slice(this.#keptFrom, end));
    this.#keptFrom = end;
  }

  #parse({ pieces, at }: Kept): unknown {
    try {
      return JSON.parse(pieces.join(''));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const fault = new ImportError(this.#fileName, `not valid JSON: ${error.message}`, at);
      throw Object.assign(fault, { cause: error });
    }
  }
}
