import { readFileSync } from 'node:fs';

/** How much of the end of a log is shown, in UTF-16 code units. */
const shownMax = 2000;

/**
 * The last lines of the log of a program that failed, indented below a colon, to end the message of an error. The log is
 * often in a folder that the run removes, so its path alone would explain nothing.
 */
export function logEnd(file: string): string {
  const text = readFileSync(file, 'utf8').trimEnd();
  if (text === '') return ': its log is empty';
  const end = text.length <= shownMax ? text : text.slice(text.indexOf('\n', text.length - shownMax) + 1);
  return `:\n  ${end.slice(-shownMax).replaceAll('\n', '\n  ')}`;
}
