import { invalidField } from 'confab-contract/problem.ts';
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { visibleCharacters } from '../../kernel/unseen.ts';

/** The most characters (Unicode code points) of a name. */
const nameCharactersMax = 180;
/** The most characters of an extension that survives when a name is cut. */
const extensionCharactersMax = 16;

/**
 * The name of an uploaded file, made safe to show and to save under: its last path segment, with slashes or backslashes,
 * in NFC, without characters that nobody sees (line breaks, NUL, marks that turn the direction of writing), at most
 * 180 characters of which the extension is kept. Undefined when nothing is left.
 */
export function cleanName(input: string): string | undefined {
  const segment = input.split(/[/\\]/).at(-1) ?? '';
  const name = visibleCharacters(segment.replaceAll(/\p{Cc}/gu, ''))
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (name === '' || name === '.' || name === '..') return undefined;
  return cut(name);
}

/** The same for a body; throws `validation_failed` at `/name` when nothing is left. */
export function readName(input: string): string {
  const name = cleanName(input);
  if (name === undefined) throw invalidField('/name', 'required', 'must have a visible character');
  return name;
}

function cut(name: string): string {
  if (beginningOf(name, nameCharactersMax) === name) return name;
  const extension = [...name.slice(name.lastIndexOf('.'))];
  const ending = name.includes('.') && extension.length <= extensionCharactersMax ? extension : [];
  return (beginningOf(name, nameCharactersMax - ending.length) + ending.join('')).trim();
}

/** The extension of a name in lower case, without its dot; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
