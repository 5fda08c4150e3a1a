/** A report as a page to look at: one file without scripts, light or dark as the reader prefers. */

/** @typedef {import('../index.d.ts').Result} Result */
/** @typedef {import('../index.d.ts').Report} Report */

/** How the rows of results are sorted: what needs a reader first. */
const outcomes = /** @type {const} */ (['failed', 'skipped', 'passed']);

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 64rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top }
pre { background: #8881; overflow-x: auto; padding: .5rem; white-space: pre-wrap; word-break: break-word }
blockquote { border-left: 3px solid #8886; margin: .5rem 0; padding-left: .8rem }
.failed { color: light-dark(#a40000, #ff8a80) }
.skipped { color: light-dark(#7a5200, #ffcc66) }
.passed { color: light-dark(#1a6b2f, #7fd89a) }
article { border: 1px solid #8886; border-radius: 6px; margin: 1rem 0; padding: 0 1rem }
`;

/**
 * The page of a report.
 * @param {Report} report
 */
export function htmlReport(report) {
  const { url, passed, failed, skipped, seconds, stopped, results, operations, leftBehind } = report;
  const found = results.filter(({ outcome }) => outcome === 'failed');
  const areas = [...new Set(results.map(({ area }) => area))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${escaped(url)}</title>
<style>${style}</style>
<h1>Conformance of ${escaped(url)}</h1>
<p><strong class="${failed > 0 ? 'failed' : 'passed'}">${failed > 0 ? `${failed} failed` : 'No findings'}</strong>:
${passed} passed, ${skipped} skipped, in ${seconds.toFixed(1)} seconds.</p>
${stopped === undefined ? '' : `<p class="failed">The run ended early: ${escaped(stopped)}</p>`}
${leftBehind.map((what) => `<p class="failed">Not removed: <code>${escaped(what)}</code></p>`).join('\n')}
${found.length === 0 ? '' : `<h2>Findings</h2>\n${found.map(findingOf).join('\n')}`}
<h2>Areas</h2>
<table><thead><tr><th>Area<th>Failed<th>Skipped<th>Passed</thead>
${areas.map((area) => areaRow(area, results)).join('\n')}
</table>
<h2>Operations</h2>
<p>How often each listed status was answered; a dash is one that no check has seen.</p>
<table><thead><tr><th>Operation<th>Statuses</thead>
${operations.map(operationRow).join('\n')}
</table>
<h2>Checks</h2>
${outcomes.map((outcome) => checksOf(outcome, results)).join('\n')}
</html>
`;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** @param {Result} result */
function findingOf({ id, message = '', quote, exchange }) {
  const { request, sent, status, answer } = exchange ?? {};
  return `<article><h3>${escaped(id)}</h3>
<p class="failed">${escaped(message)}</p>
<blockquote>${escaped(quote.text)}<br><small>${escaped(sourceOf(quote))}</small></blockquote>
${request === undefined ? '' : `<pre>${escaped(request)}${sent === undefined ? '' : `\n${escaped(sent)}`}</pre>`}
${status === undefined ? '' : `<pre>${status}\n${escaped(answer ?? '')}</pre>`}
</article>`;
}

/** @param {Result['quote']} quote */
function sourceOf({ section, isDecision }) {
  return isDecision ? `Decision, “${section}”` : `Specification, section ${section}`;
}

/** @param {string} area @param {readonly Result[]} results */
function areaRow(area, results) {
  const count = (/** @type {string} */ wanted) =>
    results.filter((result) => result.area === area && result.outcome === wanted).length;
  return `<tr><td>${escaped(area)}${outcomes.map((outcome) => `<td class="${outcome}">${count(outcome)}`).join('')}`;
}

/** @param {Report['operations'][number]} operation */
function operationRow({ method, path, statuses, seen }) {
  const listed = statuses.map((status) => `${status}&nbsp;×&nbsp;${seen[status] ?? '–'}`);
  const strange = Object.keys(seen).filter((status) => !statuses.includes(Number(status)));
  const others = strange.map(
    (status) => `<span class="skipped">${status}&nbsp;×&nbsp;${seen[status]}</span>`,
  );
  return `<tr><td><code>${escaped(`${method} ${path}`)}</code><td>${[...listed, ...others].join(', ')}`;
}

/** @param {Result['outcome']} outcome @param {readonly Result[]} results */
function checksOf(outcome, results) {
  const rows = results
    .filter((result) => result.outcome === outcome)
    .map(({ id, message, quote }) => {
      const why = message === undefined ? '' : `<br><span class="${outcome}">${escaped(message)}</span>`;
      return `<tr><td>${escaped(id)}${why}<td>${escaped(quote.text)}<br><small>${escaped(sourceOf(quote))}</small>`;
    });
  if (rows.length === 0) return '';
  return `<details><summary class="${outcome}">${rows.length} ${outcome}</summary><table>${rows.join('\n')}</table></details>`;
}
