/**
 * Reads the records of a large XML file one after the other. The parser gets the file chunk by chunk, and only the text
 * of the fields that a format names is kept, so memory does not grow with the file.
 *
 * The effect of broken markup depends on its place. Inside a record that may be left out (one comment) it costs only
 * that record, provided that the parser is certainly in step again after it; anywhere else the file is refused. "In
 * step" means that the fault swallows no other tag and that no second record begins before the first has ended.
 * Otherwise comments could vanish uncounted.
 *
 * A document type declaration is refused: no export has one, and it could define entities. The parser resolves only the
 * five entities of XML itself and numeric characters, so no entity can expand.
 */

import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { advance, type FileRepairs, xmlText } from './file-text.ts';
import { type ExportFile, type FilePosition, ImportError } from './import-file.ts';
import { recordCharactersMax } from './json-record-text.ts';

/**
 * One record: the text of its named fields. A field is the path of an element below the record, such as `author/name`.
 */
export interface XmlRecord {
  /** The line of its start tag, from 1. */
  readonly line: number;
  /** Text by field, untrimmed. An attribute is `element@name`, or `@name` for the record itself. */
  readonly fields: ReadonlyMap<string, string>;
  /** Why the record cannot be trusted: its markup is broken. */
  readonly fault?: string;
}

/** The elements of a format that are records, and the fields to read. */
export interface XmlFormat {
  /** The canonical spelling of a name in this format, whatever prefix the file binds to its namespace. */
  nameOf(uri: string, local: string): string;
  /** Why the file is not in this format, according to its root element; undefined when it is. */
  rootFault(root: {
    readonly name: string;
    readonly uri: string;
    readonly namespaces: readonly string[];
  }): string | undefined;
  /** By path from the root. */
  readonly records: Readonly<
    Record<string, { readonly fields: ReadonlySet<string>; readonly mayBeLeftOut?: true }>
  >;
}

/** The most levels of elements. Exports have few (WXR has 6); a deeper file is built to exhaust its reader. */
const depthMax = 64;

// An ampersand without its semicolon is deliberately missing: the parser searches for the semicolon across any number
// of tags.
const inStepFaults = new RegExp(
  `^(?:${[
    'unquoted attribute value',
    'duplicate attribute',
    'undefined entity',
    'unexpected close tag',
    'unmatched closing tag',
    'unbound namespace prefix',
    'disallowed character in tag name$',
    'the string "]]>" is disallowed',
  ].join('|')})`,
);

interface OpenRecord {
  readonly path: string;
  readonly depth: number;
  readonly line: number;
  readonly fields: Map<string, string>;
  /** How many characters its fields have so far. */
  characters: number;
  readonly mayBeLeftOut: boolean;
  fault: string | undefined;
}

/**
 * Calls `onRecord` for each record when it ends, inner records before outer ones, with the record's path. Returns
 * sentences about repaired faults. Throws `ImportError` for anything that makes the whole file unreadable, possibly
 * after calls for some records.
 */
export async function readRecords(
  file: ExportFile,
  format: XmlFormat,
  onRecord: (recordPath: string, record: XmlRecord) => void,
): Promise<string[]> {
  const parser = new SaxesParser({ xmlns: true });
  const names: string[] = [];
  const records: OpenRecord[] = [];
  let start: FilePosition = { line: 1, column: 1 };
  let hasEnded = false;
  /** Where the last part of the markup ended, in characters of the text that the parser was given. */
  let endedAt = 0;

  const here = (): FilePosition => ({
    line: start.line + parser.line - 1,
    column: Math.max(1, parser.column + (parser.line === 1 ? start.column - 1 : 0)),
  });
  const refuse = (sentence: string): never => {
    throw new ImportError(file.name, sentence, here());
  };

  parser.on('doctype', () =>
    refuse('the file has a document type declaration, as a web page has and an export has not'),
  );
  parser.on('error', (error) => {
    const cause = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    if (hasEnded)
      refuse(names.length > 0 ? `the file is cut off inside <${names.join('><')}>` : `not XML: ${cause}`);
    const record = records.at(-1);
    if (!record?.mayBeLeftOut || !inStepFaults.test(cause)) refuse(`not well-formed XML: ${cause}`);
    else record.fault ??= `broken markup in line ${here().line} (${cause})`;
  });
  const endPart = () => {
    endedAt = parser.position;
  };
  parser.on('comment', endPart);
  parser.on('processinginstruction', endPart);
  parser.on('opentag', (tag) => {
    endPart();
    const name = format.nameOf(tag.uri, tag.local);
    if (names.length === 0) {
      const fault = format.rootFault({ name, uri: tag.uri, namespaces: Object.values(tag.ns) });
      if (fault !== undefined) refuse(fault);
    }
    if (names.push(name) > depthMax) refuse(`elements nest deeper than ${depthMax}`);
    const record = records.at(-1);
    const recordPath = names.join('/');
    const known = format.records[recordPath];
    if (known !== undefined) {
      const opened = {
        path: recordPath,
        depth: names.length,
        line: here().line,
        fields: new Map(),
        characters: 0,
        fault: undefined,
      };
      records.push({ ...opened, mayBeLeftOut: known.mayBeLeftOut === true });
    } else if (record?.mayBeLeftOut && name === record.path.slice(record.path.lastIndexOf('/') + 1)) {
      refuse(`<${tag.name}> begins before the one of line ${record.line} has ended`);
    }
    keepAttributes(tag);
  });
  const keepAttributes = (tag: SaxesTagNS): void => {
    for (const attribute of Object.values<SaxesAttributeNS>(tag.attributes))
      keep(`${fieldPath()}@${format.nameOf(attribute.uri, attribute.local)}`, attribute.value);
  };
  const keepText = (text: string): void => {
    endPart();
    keep(fieldPath(), text);
  };
  parser.on('text', keepText);
  parser.on('cdata', keepText);
  parser.on('closetag', () => {
    endPart();
    const record = records.at(-1);
    if (record?.depth === names.length) {
      records.pop();
      const { line, fields, fault, path: recordPath } = record;
      onRecord(recordPath, fault === undefined ? { line, fields } : { line, fields, fault });
    }
    names.pop();
  });

  function fieldPath(): string {
    const record = records.at(-1);
    return record === undefined ? '' : names.slice(record.depth).join('/');
  }
  function keep(field: string, value: string): void {
    const record = records.at(-1);
    if (record === undefined || !format.records[record.path]?.fields.has(field)) return;
    record.characters += value.length;
    if (record.characters > recordCharactersMax) refuseLength();
    record.fields.set(field, (record.fields.get(field) ?? '') + copied(value));
  }
  function refuseLength(): never {
    const record = records.at(-1);
    const of = record === undefined ? '' : ` of the record that begins in line ${record.line}`;
    return refuse(
      `<${names.at(-1) ?? ''}>${of} has more than ${recordCharactersMax / 1024 ** 2} million characters`,
    );
  }

  const repairs: FileRepairs = { preamble: '', forbiddenCount: 0 };
  let isFirst = true;
  for await (const text of xmlText(file, repairs)) {
    if (isFirst) {
      start = advance(start, repairs.preamble);
      const character = /^\uFEFF?\s*(\S)/u.exec(text)?.[1];
      if (character !== undefined && character !== '<')
        refuse(`the file is not XML: it begins with ${JSON.stringify(character)}`);
      isFirst = false;
    }
    parser.write(text);
    // The parser keeps the whole of a text, a comment or a tag until its end.
    if (parser.position - endedAt > recordCharactersMax) refuseLength();
  }
  hasEnded = true;
  parser.close();
  return mendNotes(repairs);
}

/**
 * A copy of the text. The parser may return a slice that keeps its whole chunk alive: with slices, an export of 1 GiB
 * took 2.3 GB.
 */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

function mendNotes({ preamble, forbiddenCount }: FileRepairs): string[] {
  const notes: string[] = [];
  if (preamble.length > 0)
    notes.push(`Skipped in front of the XML declaration: ${JSON.stringify(beginningOf(preamble, 60))}.`);
  if (forbiddenCount > 0) notes.push(`Dropped ${forbiddenCount} control characters that XML forbids.`);
  return notes;
}
