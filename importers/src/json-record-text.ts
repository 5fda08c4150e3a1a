import { advance } from './file-text.ts';
import { type FilePosition, ImportError } from './import-file.ts';

/** A value of the file. */
export interface JsonRecord {
  /** Which value of its path it is, from 1. */
  readonly number: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** The most characters of a record: some hundred of the longest comments, which a discussion of GitHub can hold. */
export const recordCharactersMax = 32 * 1024 * 1024;

interface Kept {
  readonly path: string;
  readonly depth: number;
  readonly at: FilePosition;
  readonly pieces: string[];
  characters: number;
}

/**
 * The text of a JSON file as far as it was read, in chunks, and the record in it that is being read. It keeps the text of
 * that record alone, and calls `onRecord` at its end.
 */
export class RecordText {
  readonly fileName: string;
  readonly #onRecord: (path: string, record: JsonRecord) => void;
  readonly #numbers = new Map<string, number>();
  #kept: Kept | undefined;
  /** The chunk, where what is kept of it begins, and a place in it whose position in the file is known. */
  #text = '';
  #keptFrom = 0;
  #known: { at: FilePosition; index: number } = { at: { line: 1, column: 1 }, index: 0 };

  constructor(fileName: string, onRecord: (path: string, record: JsonRecord) => void) {
    this.fileName = fileName;
    this.#onRecord = onRecord;
  }

  /** The chunk that is being read; indexes are those of its characters. */
  get text(): string {
    return this.#text;
  }

  /** Whether the text belongs to a record. */
  get isInRecord(): boolean {
    return this.#kept !== undefined;
  }

  /** Goes on to the next chunk. */
  next(text: string): void {
    this.#known = { at: this.#positionAt(this.#text.length), index: 0 };
    this.#text = text;
    this.#keptFrom = 0;
  }

  /** Throws that the file is not readable at an index. */
  refuse(index: number, sentence: string): never {
    throw new ImportError(this.fileName, sentence, this.#positionAt(index));
  }

  /** Begins a record, which is the value at `path` in so many arrays and objects. */
  beginRecord(path: string, depth: number, index: number): void {
    this.#kept = { path, depth, at: this.#positionAt(index), pieces: [], characters: 0 };
    this.#keptFrom = index;
  }

  /** Ends a value at a depth, whose text ends before `end`, and hands it out if it is the record. */
  endValue(depth: number, end: number): void {
    const kept = this.#kept;
    if (kept === undefined || kept.depth !== depth) return;
    this.keep(end);
    this.#kept = undefined;
    const number = (this.#numbers.get(kept.path) ?? 0) + 1;
    this.#numbers.set(kept.path, number);
    this.#onRecord(kept.path, { number, line: kept.at.line, value: this.#parse(kept) });
  }

  /** Keeps the text of the record up to `end`. */
  keep(end: number): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    kept.characters += end - this.#keptFrom;
    if (kept.characters > recordCharactersMax)
      throw new ImportError(
        this.fileName,
        `a record has more than ${recordCharactersMax / 1024 ** 2} million characters`,
        kept.at,
      );
    kept.pieces.push(this.#text.slice(this.#keptFrom, end));
    this.#keptFrom = end;
  }

  #positionAt(index: number): FilePosition {
    const at = advance(this.#known.at, this.#text.slice(this.#known.index, index));
    this.#known = { at, index };
    return at;
  }

  #parse({ pieces, at }: Kept): unknown {
    try {
      return JSON.parse(pieces.join(''));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const fault = new ImportError(this.fileName, `not valid JSON: ${error.message}`, at);
      throw Object.assign(fault, { cause: error });
    }
  }
}
