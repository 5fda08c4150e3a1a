import path from 'node:path';

/** The lines that all failures together take in the summary, so that the last 40 lines of a run explain them. */
const linesMax = 32;
/** The least and the most lines of one failure. */
const [linesOfOneMin, linesOfOneMax] = [4, 24];
const lineCharsMax = 300;

/** What Node reports about a failed test. */
type Failure = {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly details: { readonly error: Error };
};

/** The error that a test threw, below the errors that Node wraps it in. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/**
 * What failed, where, and the whole message; undefined for a suite that failed only because one of its tests did.
 * `suites` are the names of the suites around it, from the outside in.
 */
export function failureText(
  { name, file, line, details }: Failure,
  suites: readonly string[],
): string | undefined {
  const { error } = details;
  if ((error as { failureType?: string }).failureType === 'subtestsFailed') return undefined;
  const place = file === undefined ? '' : ` (${path.relative('', file)}:${line})`;
  const cause = innermost(error).message;
  const messages = cause.includes(error.message) ? [cause] : [error.message, cause];
  return [name, `in ${suites.join(' > ')}${place}`, ...messages.flatMap((text) => text.trim().split('\n'))]
    .filter((each) => each.trim() !== '')
    .join('\n    ');
}

/** The texts of failures, shortened so that all of them fit in the last lines of the output. */
export function shortened(failures: readonly string[]): string[] {
  const share = Math.floor(linesMax / Math.max(failures.length, 1));
  const linesOfOne = Math.min(Math.max(share, linesOfOneMin), linesOfOneMax);
  return failures.map((text) => {
    const lines = text
      .split('\n')
      .map((each) => (each.length > lineCharsMax ? `${each.slice(0, lineCharsMax)}…` : each));
    const left = lines.length - linesOfOne;
    const shown = left > 0 ? [...lines.slice(0, linesOfOne), `    … ${left} more lines`] : lines;
    return shown.join('\n');
  });
}
