import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { composeFaults } from 'confab-testing/compose.ts';
import { imagePort, knownVariables, readText } from 'confab-testing/deploy.ts';
import { useServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';
import { parse } from 'yaml';
import { configFrom } from '../../../../src/config/config.ts';

type Service = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly networks?: unknown;
};

const place = 'deploy/compose';
const text = readText(`${place}/compose.yaml`);
const file: {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: object;
} = parse(text, { merge: true });
const { services } = file;
const nodes = ['confab-1', 'confab-2'] as const;
const proxy = readText(`${place}/haproxy.cfg`);
/** Each line of the example, also those that are commented out. */
const example = parseEnv(readText(`${place}/.env.example`).replaceAll(/^# (?=[A-Z_]+=)/gm, ''));
const folder = mkdtempSync(join(tmpdir(), 'confab-compose-'));
after(() => rmSync(folder, { recursive: true }));

// No test has Docker; `npx node proof/deploy.ts` runs the same processes with these files.
describe('the Compose file with PostgreSQL', () => {
  test('follows the specification of Compose', () => {
    assert.deepEqual(composeFaults(file), []);
    const [name] = nodes;
    assert.notDeepEqual(composeFaults({ services: { [name]: { ...services[name], restarts: 'no' } } }), []);
  });

  test('reads variables that the example has, and the example has no others', () => {
    const read = new Set([...text.matchAll(/(?<!\$)\$\{?([A-Z_]+)/g)].map(([, name = '']) => name));
    assert.ok(read.size > 5);
    for (const name of read) assert.ok(name in example, name);
    // Compose itself reads this one.
    const isRead = (name: string) => read.has(name) || name === 'COMPOSE_PROJECT_NAME';
    for (const name of Object.keys(example))
      assert.ok(isRead(name) || knownVariables.has(name), `${name} is read by nobody`);
  });

  test('keeps secrets and backups out of the image and of the repository', () => {
    const [forImage, forGit] = [readText('.dockerignore'), readText(`${place}/.gitignore`)];
    for (const name of ['.env', 'backups', 'secrets']) {
      assert.ok(forImage.split('\n').includes(`${place}/${name}`), name);
      assert.match(forGit, new RegExp(`^${name}/?$`, 'm'));
    }
  });

  test('mounts files and volumes that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes);
    assert.ok(mounted.length > 6);
    for (const each of mounted) {
      const [source = ''] = each.replace(/^\$\{BACKUPS:-.*\}/, './').split(':');
      if (source.startsWith('.')) assert.ok(existsSync(join(root, place, source)), source);
      else assert.ok(source in file.volumes, source);
    }
  });

  test('gives nodes time to stop', () => {
    for (const name of nodes) {
      const seconds = Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '')?.[1]);
      assert.ok(seconds > configFrom({}).stopSeconds, name);
    }
  });

  test('has HAProxy send clients to its nodes, at the port of the image', () => {
    const servers = [...proxy.matchAll(/^\tserver (\S+) (\S+)$/gm)].map(([, name, address]) => [
      name,
      address,
    ]);
    assert.deepEqual(
      servers,
      nodes.map((name) => [name, `${name}:${imagePort}`]),
    );
    const files = new Set([...proxy.matchAll(/^\terrorfile \d+ (\S+)$/gm)].map(([, path]) => path));
    const targets = services['haproxy']?.volumes?.map((volume) => volume.split(':')[1]);
    for (const each of files) assert.ok(targets?.includes(each), `${each}`);
  });

  test('has nodes trust the address of HAProxy', () => {
    const [, own = ''] = /ipv4_address: (\S+) /.exec(text) ?? [];
    for (const name of nodes) {
      const trusted = services[name]?.environment?.['CONFAB_TRUSTED_PROXIES'] ?? '';
      assert.ok(trusted.startsWith(`${own}$`), trusted);
    }
  });
});

describe('make-secrets.sh', () => {
  const copy = join(folder, 'compose');
  cpSync(join(root, place), copy, { recursive: true });
  const run = () => spawnSync('sh', [join(copy, 'make-secrets.sh')], { encoding: 'utf8' });
  const secret = (name: string) => readFileSync(join(copy, file.secrets[name]?.file ?? ''), 'utf8');

  test('makes every secret, and none twice', () => {
    const { status, stderr } = run();
    assert.equal(status, 0, stderr);
    const made = Object.keys(file.secrets).map(secret);
    assert.equal(new Set(made).size, 3);
    assert.ok(made.every((one) => one.length > 40));
    assert.equal(run().status, 1);
    assert.deepEqual(Object.keys(file.secrets).map(secret), made);
  });

  test('makes secrets that the server reads, with the password of the database', () => {
    const { environment = {}, secrets = [] } = services[nodes[0]] ?? {};
    const mounted = Object.fromEntries(
      secrets.map((name) => [`/run/secrets/${name}`, join(copy, file.secrets[name]?.file ?? '')]),
    );
    const variables = Object.entries({ ...example, ...environment })
      .filter(([name]) => name.startsWith('CONFAB_'))
      .map(([name, value = '']) => [name, mounted[value] ?? value.replace(/\$\{.*$/, '')]);
    const config = configFrom({
      ...Object.fromEntries(variables),
      CONFAB_PUBLIC_URL: example['CONFAB_PUBLIC_URL'],
    });
    const { username, password, hostname } = new URL(config.databaseUrl ?? '');
    assert.equal(password, secret('postgres-password').trim());
    assert.equal(username, services['postgres']?.environment?.['POSTGRES_USER']);
    assert.ok(hostname in services);
    assert.equal(config.secretsKeyFile, mounted['/run/secrets/secrets-key']);
    assert.match(secret('secrets-key'), /^[0-9a-f]{64}$/);
  });
});

describe('the health checks', () => {
  const server = useServer();

  test('ask for addresses that the server has', async () => {
    const paths = [...proxy.matchAll(/httpchk GET (\S+)/g)].map(([, path = '']) => path);
    assert.deepEqual(paths, ['/readyz']);
    for (const path of paths) assert.equal((await fetch(`${server.url}${path}`)).status, 200);
  });
});
