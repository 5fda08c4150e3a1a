/**
 * Reads the records of a large JSON file one after the other. The file is scanned chunk by chunk, and only the text of one
 * record is kept at a time, so memory does not grow with the file. A file may hold several JSON values one after the
 * other: Remark42 writes one for each comment, and pages of an API can be joined like this.
 *
 * The scanner follows the grammar of RFC 8259 as far as it must to know where a value ends; `JSON.parse` checks the
 * records themselves. Broken JSON makes the whole file unreadable, because nothing says where the next record begins.
 */
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { fileText } from './file-text.ts';
import { type ExportFile, ImportError } from './import-file.ts';
import { type JsonRecord, RecordText } from './json-record-text.ts';

/** The most levels of arrays and objects. Replies within replies take three levels each in an export of Cusdis. */
const depthMax = 512;
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

/**
 * Calls `onRecord` for each value at one of `paths`, which consist of `$`, `[]` for the items of an array and `.name` for
 * a property; `$` alone is each value of the file. An array whose items are wanted is no record itself. Returns the paths of `paths` whose array the file has, and throws
 * `ImportError` for anything else than JSON.
 */
export async function readJson(
  file: ExportFile,
  paths: readonly string[],
  onRecord: (path: string, record: JsonRecord) => void,
): Promise<ReadonlySet<string>> {
  const scanner = new JsonScanner(new RecordText(file.name, onRecord), new Set(paths));
  for await (const text of fileText(file)) scanner.read(text);
  scanner.end();
  return scanner.arrays;
}

class JsonScanner {
  /** Those of the wanted paths whose array is in the file. */
  readonly arrays = new Set<string>();
  readonly #source: RecordText;
  readonly #paths: ReadonlySet<string>;
  readonly #stack: Container[] = [];
  #expected: Expected = 'value';
  #token: Token | undefined;
  #hasValue = false;

  constructor(source: RecordText, paths: ReadonlySet<string>) {
    this.#source = source;
    this.#paths = paths;
  }

  /** Reads the next chunk. */
  read(text: string): void {
    this.#source.next(text);
    let index = 0;
    while (index < text.length) index = this.#token === undefined ? this.#step(index) : this.#go(index);
    this.#source.keep(text.length);
  }

  /** Ends the file. Throws where it is cut off. */
  end(): void {
    const { length } = this.#source.text;
    if (this.#token?.kind === 'word' && this.#stack.length === 0) this.#endWord(length);
    if (this.#stack.length > 0 || this.#token !== undefined)
      this.#source.refuse(length, 'the file is cut off');
    if (!this.#hasValue) throw new ImportError(this.#source.fileName, 'the file is empty');
  }

  /** Reads one character between tokens; returns the index of the next. */
  #step(index: number): number {
    const character = this.#source.text[index] ?? '';
    if (/[ \t\r\n\uFEFF]/.test(character)) return index + 1;
    const isFirst = !this.#hasValue && this.#stack.length === 0;
    if (isFirst && character !== '{' && character !== '[')
      this.#source.refuse(index, `the file is not JSON: it begins with ${JSON.stringify(character)}`);
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
    this.#source.refuse(index, `not valid JSON: ${JSON.stringify(character)} is out of place`);
  }

  /** Begins a value. */
  #begin(index: number, character: string): number {
    this.#hasValue = true;
    const above = this.#stack.at(-1);
    const path = above === undefined ? '$' : `${above.path}${above.isArray ? '[]' : `.${above.name}`}`;
    const hasRecords = character === '[' && this.#paths.has(`${path}[]`);
    if (!this.#source.isInRecord && !hasRecords && this.#paths.has(path))
      this.#source.beginRecord(path, this.#stack.length, index);
    if (character === '{' || character === '[') {
      const isArray = character === '[';
      // Below what no path names, and within a record, paths are of no use.
      const isNamed = !this.#source.isInRecord && path.length <= wordCharactersMax;
      if (isArray && isNamed && this.#paths.has(`${path}[]`)) this.arrays.add(`${path}[]`);
      if (this.#stack.push({ isArray, path: isNamed ? path : '', name: '' }) > depthMax)
        this.#source.refuse(index, `values nest deeper than ${depthMax}`);
      this.#expected = isArray ? 'first value' : 'first name';
      return index + 1;
    }
    if (character === '"') {
      this.#token = { kind: 'string', isName: false, text: '', isEscaped: false };
      return index + 1;
    }
    if (!/[-\w]/.test(character))
      this.#source.refuse(index, `not valid JSON: ${JSON.stringify(character)} is out of place`);
    this.#token = { kind: 'word', isName: false, text: '', isEscaped: false };
    return index;
  }

  #close(index: number, character: ']' | '}'): number {
    const above = this.#stack.at(-1);
    const isExpected =
      this.#expected === 'separator' ||
      this.#expected === (above?.isArray === true ? 'first value' : 'first name');
    if (above === undefined || above.isArray !== (character === ']') || !isExpected)
      this.#source.refuse(index, `not valid JSON: ${JSON.stringify(character)} is out of place`);
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
    const stop = wordEnd.exec(this.#source.text)?.index ?? this.#source.text.length;
    this.#addToWord(index, this.#source.text.slice(index, stop));
    if (stop < this.#source.text.length || token.text.length === 0) this.#endWord(stop);
    return stop;
  }

  #addToWord(index: number, text: string): void {
    const token = this.#token as Token;
    token.text += text;
    if (token.text.length > wordCharactersMax)
      this.#source.refuse(index, `a name or number has more than ${wordCharactersMax} characters`);
  }

  #endWord(index: number): void {
    const { text } = this.#token as Token;
    if (!numberOrLiteral.test(text))
      this.#source.refuse(index, `not valid JSON: ${JSON.stringify(beginningOf(text, 40))} is no value`);
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
    const stop = stringStop.exec(this.#source.text)?.index ?? this.#source.text.length;
    // Names are needed for paths alone, in which nothing is escaped.
    if (token.isName && !this.#source.isInRecord)
      this.#addToWord(index, this.#source.text.slice(index, stop));
    const character = this.#source.text[stop];
    if (character === undefined) return stop;
    if (character === '\\') {
      token.isEscaped = true;
      if (token.isName && !this.#source.isInRecord) this.#addToWord(stop, character);
      return stop + 1;
    }
    if (character !== '"') this.#source.refuse(stop, 'not valid JSON: a text is not closed on its line');
    this.#token = undefined;
    if (token.isName) {
      const above = this.#stack.at(-1);
      if (above !== undefined) above.name = token.text;
      this.#expected = 'colon';
    } else this.#endValue(stop + 1);
    return stop + 1;
  }

  /** Ends a value whose text ends before `end`. */
  #endValue(end: number): void {
    this.#expected = this.#stack.length === 0 ? 'value' : 'separator';
    this.#source.endValue(this.#stack.length, end);
  }
}
