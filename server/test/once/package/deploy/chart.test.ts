import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { imagePort, readText } from 'confab-testing/deploy.ts';
import { useServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';
import { parse } from 'yaml';
import { configFrom } from '../../../../src/config/config.ts';

type Values = Readonly<Record<string, unknown>>;
type Closed = {
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Closed>>;
};

const chart = 'deploy/helm/confab';
const values: Values = parse(readText(`${chart}/values.yaml`));
const schema: Closed = JSON.parse(readText(`${chart}/values.schema.json`));
const fits = new Ajv({ strict: false }).compile(schema);
const templates = readdirSync(join(root, chart, 'templates')).map((name) => [
  name,
  readText(`${chart}/templates/${name}`),
]);
const text = templates.map(([, template]) => template).join('\n');
const folder = mkdtempSync(join(tmpdir(), 'confab-chart-'));
after(() => rmSync(folder, { recursive: true }));

/** The paths of a tree of closed objects, such as `image.tag`. Open objects are leaves. */
function pathsIn(part: Closed, at = ''): string[] {
  return Object.entries(part.properties ?? {}).flatMap(([name, below]) =>
    below.properties !== undefined && !['settings', 'secrets'].includes(name)
      ? pathsIn(below, `${at}${name}.`)
      : [`${at}${name}`],
  );
}

function valueAt(path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], values);
}

/** The examples in the comments of values.yaml, as YAML. */
function examples(): string[] {
  const comments = readText(`${chart}/values.yaml`).matchAll(/(?:^# {3}.*\n)+/gm);
  return [...comments].map(([lines]) => lines.replaceAll(/^# {3}/gm, ''));
}

// `npx node proof/deploy.ts` renders the templates; it needs Go.
describe('the values of the chart', () => {
  test('fit their schema', () => {
    assert.ok(fits(values), JSON.stringify(fits.errors));
  });

  test('are those of the schema, and each is used by a template', () => {
    const paths = pathsIn(schema).filter((path) => path !== 'global');
    assert.ok(paths.length > 25);
    for (const path of paths) {
      assert.notEqual(valueAt(path), undefined, `values.yaml has ${path}`);
      assert.match(text, new RegExp(`\\.Values\\.${path}\\b`), path);
    }
  });

  test('are all that templates name', () => {
    const named = [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = '']) => path);
    assert.ok(named.length > 40);
    for (const path of named) assert.notEqual(valueAt(path), undefined, path);
  });

  test('have examples that fit, with settings that the server reads', () => {
    const read = examples().map((example) => parse(example) as { readonly settings?: object });
    assert.equal(read.length, 2);
    for (const example of read) assert.ok(fits({ ...values, ...example }), JSON.stringify(fits.errors));
    const [{ settings: shown = {} } = {}] = read;
    const file = join(folder, 'confab.yaml');
    writeFileSync(file, JSON.stringify(shown));
    assert.equal(configFrom({ CONFAB_CONFIG: file }).publicUrl, 'https://confab.example.com');
  });

  const wrong: Readonly<Record<string, Values>> = {
    'a setting that does not exist': { settings: { 'public-adress': 'https://confab.example.com' } },
    'a setting of the chart itself': { settings: { 'data-dir': '/elsewhere' } },
    'a secret in the settings': { settings: { 'api-key': 'wys_1' } },
    'the file of a secret in the settings': { settings: { 'smtp-url-file': '/run/secrets/smtp' } },
    'yes without quotes, which Helm reads as true': { settings: { mcp: true } },
    'a setting as a secret that is none': { secrets: { 'public-url': { name: 'a', key: 'b' } } },
    'a secret in plain text': { secrets: { 'database-url': 'postgres://confab@db/confab' } },
    'no node': { replicas: 0 },
    'a value that does not exist': { replicaCount: 2 },
    'a size without a unit': { persistence: { size: '10' } },
  };
  for (const [what, over] of Object.entries(wrong))
    test(`refuse ${what}`, () => {
      assert.ok(!fits({ ...values, ...over }));
    });

  test('take every secret of the server', () => {
    const secrets = Object.keys(schema.properties?.['secrets']?.properties ?? {});
    assert.ok(secrets.includes('database-url') && secrets.includes('secrets-key'));
    const all = Object.fromEntries(secrets.map((name) => [name, { name: 'confab', key: name }]));
    assert.ok(fits({ ...values, secrets: all }), JSON.stringify(fits.errors));
  });
});

describe('the pods of the chart', () => {
  const server = useServer();

  test('are asked at addresses that the server has', async () => {
    const paths = new Set([...text.matchAll(/^ *path: (\/\w+)$/gm)].map(([, path = '']) => path));
    assert.deepEqual([...paths].toSorted(), ['/healthz', '/metrics', '/readyz']);
    for (const path of paths) {
      const reply = await fetch(`${server.url}${path}`, {
        headers: { authorization: `Bearer ${server.key}` },
      });
      assert.equal(reply.status, 200, path);
    }
  });

  test('fit the image: its port, its folder, its user', () => {
    const dockerfile = readText('Dockerfile');
    assert.match(text, new RegExp(`containerPort: ${imagePort}$`, 'm'));
    assert.match(dockerfile, /^VOLUME \/data$/m);
    assert.match(text, /mountPath: \/data$/m);
    assert.match(dockerfile, /^USER node$/m);
    assert.match(text, /runAsNonRoot: true[\s\S]*runAsUser: 1000$/m);
  });

  test('have longer to end than the server takes', () => {
    const [, standard, more] = /"stop-seconds" \| default (\d+)\) (\d+)/.exec(text) ?? [];
    assert.equal(Number(standard), configFrom({}).stopSeconds);
    assert.ok(Number(more) >= 5);
  });
});
