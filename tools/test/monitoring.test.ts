import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type MetricFacts, metricFacts } from 'confab-server/src/kernel/metrics.ts';
import { rootUrl } from '../places.ts';

const facts: { readonly [name: string]: MetricFacts } = metricFacts;
const read = (name: string) => readFileSync(new URL(`docs/${name}`, rootUrl), 'utf8');

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(read('monitoring/dashboard.json'));
const ofDashboard = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const ofAlerts = [...read('monitoring/alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map(([, expr = '']) => expr);

/** The metrics that a text names, with the labels of their selectors; those of the process are not ours. */
function usesIn(text: string): { readonly name: string; readonly labels: readonly string[] }[] {
  return [...text.matchAll(/\b(confab_[a-z_]+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)(?:=~?|!=|!~)"/g)].map(([, label = '']) => label),
  }));
}

/** The declaration of a metric by its name, or by that of a series of a histogram. */
function factsOf(name: string): MetricFacts | undefined {
  const histogram = facts[name.replace(/_(?:bucket|sum|count)$/, '')];
  return histogram?.kind === 'histogram' && histogram !== facts[name] ? histogram : facts[name];
}

// A dashboard with a name that no server reports shows nothing, and an alert on it never fires.
describe('the dashboard and the alerts', () => {
  test('use only metrics and labels that the server reports', () => {
    assert.ok(ofDashboard.length > 20 && ofAlerts.length > 8);
    for (const expr of [...ofDashboard, ...ofAlerts])
      for (const { name, labels } of usesIn(expr)) {
        const declared = factsOf(name);
        assert.ok(declared, `${name} in ${expr}`);
        assert.equal(declared.kind === 'histogram', facts[name] === undefined, `${name} in ${expr}`);
        for (const label of labels)
          assert.ok(
            ['job', 'instance', ...declared.labels, ...(declared.sometimes ?? [])].includes(label),
            `${label} of ${name} in ${expr}`,
          );
      }
  });

  test('group by labels that their metrics have', () => {
    for (const expr of [...ofDashboard, ...ofAlerts]) {
      const known = usesIn(expr).flatMap(({ name }) => factsOf(name)?.labels ?? []);
      for (const [, labels = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
        for (const label of labels.split(', '))
          assert.ok(['le', 'instance', ...known].includes(label), `${label} in ${expr}`);
    }
  });

  test('show every metric, and the guide names each that exists', () => {
    const shown = new Set(ofDashboard.flatMap(usesIn).map(({ name }) => factsOf(name)));
    for (const [name, declared] of Object.entries(facts))
      if (name !== 'confab_build_info') assert.ok(shown.has(declared), `${name} is in no panel`);
    for (const { name } of usesIn(read('monitoring.md'))) assert.ok(factsOf(name), name);
  });
});
