/**
 * Answers as programs read them that pay for each word: Markdown with ids instead of JSON. What users wrote stands behind
 * `>` or in double quotes, so that no text can look like the frame around it, and a page has a budget of bytes. A program
 * reads what people see: a text is made from its HTML, and characters that nobody sees are left out.
 */

import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { visibleCharacters } from '../../kernel/unseen.ts';
import { shownText } from './shown-text.ts';

type Fields = { readonly [name: string]: unknown };

/** The bytes of a page for each of its entries, and for how many at least: 6,000 bytes for the usual page of 25. */
const entryBytes = 240;
const entriesMin = 25;

/** How long the texts of a page may be, in characters: the first with which it keeps its budget is taken. */
const textLengths = [2000, 1000, 500, 300, 200, 150, 100, 70, 40, 20, 0];

/** The most bytes of a name in a line. */
const nameBytesMax = 40;

/** The most kinds of reactions in a line. */
const reactionsMax = 5;

/** Addresses, HTML and what is free-form cost much and say nothing that a program needs. */
const leftOut = /^(?:html|plain|metadata|comments|raw|template|args|presence|created_by|modified_by|.*_url)$/;

/** Shows the answer of an operation. The texts of a page are cut to its budget; that of a single thing is whole. */
export function show(value: unknown): string {
  const data = listIn(value);
  if (data === undefined) return isEntry(value) ? entryLines(value, { isWhole: true }) : recordLines(value);
  const entries = data.reduce<number>((sum, item) => sum + 1 + repliesOf(item).length, 0);
  const budget = entryBytes * Math.max(entriesMin, entries);
  const head = headOf(value as Fields, data.length);
  let page = '';
  // A text longer than the budget cannot stand in full, and is not read to its end.
  for (const textMax of [budget, ...textLengths]) {
    page = [head, ...data.map((item) => itemLines(item, textMax))].join('\n');
    if (Buffer.byteLength(page) <= budget) break;
  }
  return page;
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const data = isFields(value) ? value.data : undefined;
  return Array.isArray(data) ? data : undefined;
}

function headOf({ count, start }: Fields, length: number): string {
  if (length === 0) return 'Nothing.';
  if (typeof count !== 'number' || count === length) return `${length} in all:`;
  return typeof start === 'number'
    ? `${start} to ${start + length - 1} of ${count}:`
    : `${length} of ${count}:`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a thing is a comment, a post or a message. */
function isEntry(value: unknown): value is Fields {
  return isFields(value) && 'attachment_count' in value && 'option_count' in value;
}

function repliesOf(value: unknown): readonly Fields[] {
  const replies = isFields(value) ? value.replies : undefined;
  return Array.isArray(replies) ? replies.filter(isFields) : [];
}

function itemLines(item: unknown, textMax: number): string {
  if (isEntry(item)) return entryLines(item, { textMax });
  return `- ${recordText(item, textMax)}`;
}

/** An entry with its replies, indented. */
function entryLines(
  entry: Fields,
  {
    textMax = Number.POSITIVE_INFINITY,
    indent = '',
    isWhole = false,
  }: { readonly textMax?: number; readonly indent?: string; readonly isWhole?: boolean },
): string {
  const { html, modified_at: modified } = entry;
  const facts = [
    timeOf(entry.created_at),
    modified === undefined ? '' : 'edited',
    entry.via === undefined ? '' : `via ${entry.via}`,
    entry.is_trashed === true ? 'in the trash' : '',
    entry.is_held === true ? 'held' : '',
    entry.resolved_at === undefined ? '' : 'resolved',
    entry.reply_to_id === undefined || indent !== '' ? '' : `answers #${entry.reply_to_id}`,
    countOf(entry.reply_count, 'answer'),
    countOf(entry.comment_count, 'comment'),
    reactionsOf(entry.reactions),
    isWhole ? '' : countOf(entry.attachment_count, 'attachment'),
    isWhole ? '' : countOf(entry.option_count, 'option'),
  ].filter((fact) => fact !== '');
  return [
    `${indent}#${entry.id} ${authorOf(entry)} · ${facts.join(' · ')}`,
    ...placeLines(entry, textMax).map((line) => `${indent}${line}`),
    ...(typeof html === 'string'
      ? quoted(textIn(entry, html), textMax).map((line) => `${indent}${line}`)
      : []),
    ...(isWhole ? detailsOf(entry) : []),
    ...repliesOf(entry).map((reply) => entryLines(reply, { textMax, indent: `${indent}  ` })),
  ].join('\n');
}

/** The place of a thread: the key of its anchor, and what it quotes of the document. */
function placeLines({ anchor }: Fields, textMax: number): string[] {
  if (!isFields(anchor)) return [];
  const { key, selector } = anchor;
  const selectors = Array.isArray(selector) ? selector.filter(isFields) : [];
  const quote = selectors.find(({ exact }) => typeof exact === 'string')?.exact;
  const about = [
    typeof key === 'string' ? ` key ${shownValue(key, textMax)}` : '',
    typeof quote === 'string' ? ` quote ${shownValue(quote, textMax)}` : '',
  ].join(',');
  return about === ',' ? [] : [`on${about.replace(/^,|,$/g, '')}`];
}

/** What only a single entry shows: where it is, its poll, its attachments and its tags. */
function detailsOf(entry: Fields): string[] {
  const { parent, options, attachments, tags } = entry;
  const place = isFields(parent) ? `, on ${parent.type} ${parent.id}` : '';
  const listed = (name: string, values: unknown) =>
    Array.isArray(values) && values.length > 0
      ? [`${name}: ${shownValue(values, Number.POSITIVE_INFINITY)}`]
      : [];
  return [
    `in app ${entry.app_id}${place}`,
    ...listed('options', options),
    ...listed('attachments', attachments),
    ...listed('tags', tags),
  ];
}

function authorOf({ created_by: author, created_by_id: id }: Fields): string {
  if (id === undefined) return 'by nobody';
  const name = isFields(author) ? `${nameOf(author)} ` : '';
  const isProgram = isFields(author) && author.is_bot === true ? ', a program' : '';
  return `by ${name}(user ${id}${isProgram})`;
}

function nameOf({ display_name: name }: Fields): string {
  return typeof name === 'string' ? JSON.stringify(cutBytes(oneLine(name), nameBytesMax)) : '';
}

function cutBytes(text: string, bytesMax: number): string {
  let cut = beginningOf(text, bytesMax);
  while (Buffer.byteLength(cut) > bytesMax) cut = beginningOf(cut, [...cut].length - 1);
  return cut === text ? text : `${cut}…`;
}

function countOf(count: unknown, noun: string): string {
  return typeof count === 'number' && count > 0 ? `${count} ${noun}${count === 1 ? '' : 's'}` : '';
}

function reactionsOf(reactions: unknown): string {
  if (!Array.isArray(reactions)) return '';
  const counts = new Map<string, number>();
  for (const { content, count = 1 } of reactions as { content: string; count?: number }[])
    counts.set(content, Math.max(counts.get(content) ?? 0, count));
  return [...counts]
    .slice(0, reactionsMax)
    .map(([content, count]) => `${oneLine(content)}${count === 1 ? '' : `×${count}`}`)
    .join(' ');
}

/** A time of the interface to the minute. */
function timeOf(time: unknown): string {
  return typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : '';
}

const texts = new WeakMap<Fields, string>();

/** The text of an entry with this HTML, made once for all lengths that are tried. */
function textIn(entry: Fields, html: string): string {
  const text = texts.get(entry) ?? visibleText(shownText(html));
  texts.set(entry, text);
  return text;
}

/** The lines of a text, each behind `>`. */
function quoted(text: string, textMax: number): string[] {
  const cut = beginningOf(text, textMax);
  const rest = text.length - cut.length;
  return [
    ...(cut === '' ? [] : cut.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => `> ${line}`)),
    ...(rest > 0 ? [`(${rest} more characters)`] : []),
  ];
}

/** A text without what people do not see, or cannot tell from a space. */
function visibleText(text: string): string {
  return visibleCharacters(text.replaceAll(/[\p{Zs}\u2800]/gu, ' '));
}

/** A text of users in one line, such as a name. */
export function oneLine(text: string): string {
  return visibleText(text)
    .replaceAll(/\p{White_Space}+/gu, ' ')
    .trim();
}

/** Something other than an entry: a line for each field. */
function recordLines(value: unknown): string {
  if (!isFields(value)) return shownValue(value, Number.POSITIVE_INFINITY);
  return fieldsOf(value, Number.POSITIVE_INFINITY).join('\n') || 'Nothing.';
}

function recordText(value: unknown, textMax: number): string {
  return isFields(value) ? fieldsOf(value, textMax).join(', ') : shownValue(value, textMax);
}

/** The fields of a thing that say something: no addresses, nothing empty, and nothing that is not so. */
function fieldsOf(value: Fields, textMax: number): string[] {
  return Object.entries(value)
    .filter(([name, one]) => !leftOut.test(name) && !isEmpty(one))
    .map(([name, one]) => `${name}: ${name.endsWith('_at') ? timeOf(one) : shownValue(one, textMax)}`);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === false ||
    value === '' ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0)
  );
}

function shownValue(value: unknown, textMax: number): string {
  if (typeof value === 'string') return textOf(value, textMax);
  if (Array.isArray(value)) return `[${value.map((one) => shownValue(one, textMax)).join('; ')}]`;
  if (!isFields(value)) return String(value);
  if (!('display_name' in value && 'id' in value)) return `(${recordText(value, textMax)})`;
  return `${nameOf(value)} (${'is_bot' in value ? 'user' : 'app'} ${value.id})`;
}

/** Short words of the interface stand as they are; every other text is quoted as in JSON. */
function textOf(text: string, textMax: number): string {
  if (/^[\w.:-]{1,64}$/.test(text)) return text;
  // JSON leaves these ends of a line as they are.
  const plain = visibleText(text).replaceAll(/[\u0085\u2028\u2029]/g, '\n');
  const cut = beginningOf(plain, textMax);
  return `${JSON.stringify(cut)}${cut === plain ? '' : '…'}`;
}

/** A sentence about a problem (RFC 9457) with its code, and a line for each field at fault. */
export function showProblem(status: number, problem: unknown, retryAfter: unknown): string {
  const { code = 'unknown', detail = '', errors } = isFields(problem) ? problem : {};
  const faults = Array.isArray(errors) ? errors.filter(isFields) : [];
  return [
    `Refused with ${status} ${code}: ${oneLine(String(detail))}`,
    ...faults.map(({ pointer, parameter, message }) => `- ${oneLine(`${pointer ?? parameter}: ${message}`)}`),
    ...(retryAfter === undefined ? [] : [`Try again after ${retryAfter} seconds.`]),
  ].join('\n');
}
