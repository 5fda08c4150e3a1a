import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configFrom } from 'confab-server/src/config/config.ts';
import { knownVariables } from 'confab-testing/deploy.ts';
import { parseAllDocuments } from 'yaml';
import type { ChartCase, Kind } from './chart-cases.ts';

type Labels = Readonly<Record<string, string>>;
type Named = { readonly name: string };
type Container = {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly Named[];
  readonly securityContext: object;
  readonly volumeMounts: readonly Named[];
};
type Pod = {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly enableServiceLinks: boolean;
    readonly securityContext: { readonly runAsNonRoot: boolean };
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly [Container];
    readonly volumes: readonly Named[];
  };
};
type Item = {
  readonly kind: Kind;
  readonly metadata: Named;
  readonly data?: Labels;
  readonly spec: {
    readonly replicas: number;
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly template: Pod;
    readonly ports: readonly { readonly targetPort: string }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: Named }[];
    readonly endpoints: readonly { readonly port: string }[];
  };
};
type Rendered = { readonly files: Readonly<Record<string, string>> | null; readonly error: string };

const renderer = resolve(import.meta.dirname, 'render.go');

/** Builds the program that renders charts, with Go as Debian has it. Throws with what Go says. Returns its path. */
export function buildRenderer(folder: string): string {
  const program = join(folder, 'render');
  const { status, stderr } = spawnSync('go', ['build', '-o', program, renderer], {
    encoding: 'utf8',
    // The packages of Debian are in this folder; nothing is fetched.
    env: {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOCACHE: join(folder, 'go'),
      GOFLAGS: '',
    },
  });
  if (status !== 0) throw new Error(`the renderer is not built: ${stderr}`);
  return program;
}

/** Renders a chart with each of the values. Throws for a template that cannot be read. */
export function render(program: string, chart: string, values: readonly object[]): readonly Rendered[] {
  const file = `${program}-values.json`;
  writeFileSync(file, JSON.stringify(values));
  const { status, stdout, stderr } = spawnSync(program, [chart, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the chart is not rendered: ${stderr}`);
  return JSON.parse(stdout);
}

/** The objects of Kubernetes of a rendered chart. Throws for text that is no YAML. */
function itemsOf(files: Readonly<Record<string, string>>): Item[] {
  return Object.entries(files)
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([name, text]) =>
      parseAllDocuments(text).flatMap((document) => {
        assert.deepEqual(document.errors, [], name);
        return (document.toJS() as Item | null) ?? [];
      }),
    );
}

/** Throws an AssertionError where what a case renders is not what it promises, or does not fit together. */
export function checkCase(
  { kinds, replicas, words, postgres }: ChartCase,
  result: Rendered,
  folder: string,
): void {
  if (words !== undefined) {
    assert.match(result.error, words);
    return;
  }
  assert.equal(result.error, '');
  const items = itemsOf(result.files ?? {});
  assert.deepEqual(
    items.map(({ kind }) => kind).toSorted(),
    ['ConfigMap', 'Service', 'ServiceAccount', ...kinds].toSorted(),
  );
  const one = (kind: Kind) => items.find((item) => item.kind === kind);
  const workload = one(postgres ? 'Deployment' : 'StatefulSet') ?? assert.fail('no workload');
  const { template, selector } = workload.spec;
  assert.equal(workload.spec.replicas, replicas ?? 1);
  checkPod(template, workload.spec.volumeClaimTemplates ?? []);
  for (const chosen of [
    selector.matchLabels,
    one('Service')?.spec.selector,
    one('PodDisruptionBudget')?.spec.selector.matchLabels,
  ])
    for (const [label, value] of Object.entries(chosen ?? {}))
      assert.equal(template.metadata.labels[label], value, label);
  const ports = template.spec.containers[0].ports.map(({ name }) => name);
  for (const { targetPort } of one('Service')?.spec.ports ?? [])
    assert.ok(ports.includes(targetPort), targetPort);
  for (const name of [workload, one('ConfigMap')].map((item) => item?.metadata.name))
    assert.equal(name, 'confab');
  assert.ok(
    (result.files?.['NOTES.txt'] ?? '').includes(`${postgres ? 'deployment' : 'statefulset'}/confab`),
  );
  checkSettings(template, one('ConfigMap')?.data?.['confab.yaml'] ?? '', folder);
}

function checkPod({ spec }: Pod, claims: readonly { readonly metadata: Named }[]): void {
  const [container] = spec.containers;
  assert.equal(spec.automountServiceAccountToken, false);
  assert.equal(spec.enableServiceLinks, false);
  assert.equal(spec.securityContext.runAsNonRoot, true);
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const volumes = [...spec.volumes.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)];
  assert.deepEqual(container.volumeMounts.map(({ name }) => name).toSorted(), volumes.toSorted());
}

/** The server takes the file and the variables of a pod, with files in the place of its secrets. */
function checkSettings({ spec }: Pod, text: string, folder: string): void {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  const file = join(folder, 'confab.yaml');
  writeFileSync(file, text);
  const samples: Labels = {
    'database-url': 'postgres://confab:secret@db/confab',
    'secrets-key': 'ab'.repeat(32),
    'smtp-url': 'smtp://mail.example.com',
  };
  for (const [name, value] of Object.entries(samples))
    writeFileSync(join(secrets, name), value, { mode: 0o600 });
  const variables = spec.containers[0].env.map(({ name, value }) => {
    assert.ok(knownVariables.has(name), name);
    return [name, value.replace('/run/secrets/confab', secrets).replace('/etc/confab/confab.yaml', file)];
  });
  const config = configFrom({
    CONFAB_HOST: '0.0.0.0',
    CONFAB_DATA_DIR: '/data',
    ...Object.fromEntries(variables),
  });
  assert.ok(spec.terminationGracePeriodSeconds > config.stopSeconds);
}
