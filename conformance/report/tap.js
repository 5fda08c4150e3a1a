/** A report in the Test Anything Protocol, version 14, line by line as the checks end. */

/** @typedef {import('../index.d.ts').Result} Result */
/** @typedef {import('../index.d.ts').Report} Report */

/** The first lines. @param {number} checks how many follow */
export function tapStart(checks) {
  return `TAP version 14\n1..${checks}`;
}

/**
 * The lines of one check.
 * @param {Result} result
 * @param {number} number from 1
 */
export function tapResult({ id, outcome, message, quote, exchange }, number) {
  const point = `${outcome === 'failed' ? 'not ok' : 'ok'} ${number} - ${id}`;
  if (outcome === 'passed') return point;
  if (outcome === 'skipped') return `${point} # SKIP ${oneLine(message ?? '')}`;
  const facts = {
    message,
    ...(quote.isDecision ? { decision: quote.text } : { sentence: quote.text }),
    section: quote.section,
    ...exchange,
  };
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    // A string of JSON is one of YAML too.
    value === undefined ? [] : [`  ${key}: ${typeof value === 'number' ? value : JSON.stringify(value)}`],
  );
  return [point, '  ---', ...lines, '  ...'].join('\n');
}

/** The last lines. @param {Report} report */
export function tapEnd({ passed, failed, skipped, seconds, stopped, leftBehind }) {
  return [
    ...(stopped === undefined ? [] : [`Bail out! ${oneLine(stopped)}`]),
    `# ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds.toFixed(1)} s`,
    ...leftBehind.map((what) => `# not removed: ${what}`),
  ].join('\n');
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').replace(/#/g, '\\#');
}
