import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { Ajv } from 'ajv';
import { type ProblemCode, problems } from 'confab-contract/problem.ts';
import { composeFaults } from 'confab-testing/compose.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { useServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';
import { Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { configFrom, settings } from '../../../src/config/config.ts';
import { configSchema } from '../../../src/config/schema.ts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'confab-files-'));
after(() => rmSync(folder, { recursive: true }));
const variables = new Set(Object.values(settings).map(({ variable }) => variable));

type Service = {
  readonly build: string;
  readonly ports: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
};

// Operators start containers with these files, and no test has Docker to do so.
describe('the Dockerfile', () => {
  const text = read('Dockerfile');
  const file = DockerfileParser.parse(text);
  const valuesOf = (keyword: string) =>
    file
      .getInstructions()
      .filter((each) => each.getKeyword() === keyword)
      .map(argumentsOf);
  function argumentsOf(instruction: Instruction): string[] {
    return instruction.getArguments().map((argument) => argument.getValue());
  }

  test('has no mistakes', () => {
    assert.deepEqual(
      validate(text).map(({ message }) => message),
      [],
    );
  });

  test('copies files that exist and that .dockerignore lets through', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .map((line) => line.replace('**/', ''));
    const copies = file.getInstructions().filter((each) => each instanceof Copy);
    const sources = copies
      .filter((copy) => copy.getFromFlag() === null)
      .flatMap((copy) => argumentsOf(copy).slice(0, -1));
    assert.ok(sources.length > 4);
    for (const source of sources) {
      assert.ok(existsSync(join(root, source)), source);
      assert.ok(!source.split('/').some((part) => ignored.includes(part)), `${source} is ignored`);
    }
  });

  test('runs scripts that package.json has, and sets settings that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const names = [...text.matchAll(/npm run (?:--\S+ )*([\w:]+)/g)].map(([, name = '']) => name);
    assert.deepEqual(names, ['build', 'sbom']);
    for (const name of names) assert.ok(scripts[name], name);
    for (const [name] of text.matchAll(/CONFAB_\w+/g)) assert.ok(variables.has(name), name);
  });

  test('runs the server as a user who is not root, with a Node that it takes', () => {
    assert.deepEqual(valuesOf('USER'), [['node']]);
    const instructions = file.getInstructions().map((each) => each.getKeyword());
    assert.ok(instructions.indexOf('USER') < instructions.indexOf('ENTRYPOINT'));
    assert.deepEqual([valuesOf('ENTRYPOINT').length, valuesOf('CMD').length], [1, 1]);
    const least = Number(/\d+/.exec(JSON.parse(read('server/package.json')).engines.node)?.[0]);
    for (const [image = ''] of valuesOf('FROM'))
      assert.ok(Number(/^node:(\d+)/.exec(image)?.[1]) >= least, image);
  });

  describe('its health check', () => {
    const server = useServer();
    const [, command = ''] = /^HEALTHCHECK .* CMD (.*)$/m.exec(text) ?? [];
    const check = (port: string) => {
      const [, ...args]: string[] = JSON.parse(command);
      return spawnAsync(args, { CONFAB_PORT: port });
    };

    test('ends with 0 while the server answers, and with 1 otherwise', async () => {
      assert.equal(await check(new URL(server.url).port), 0);
      assert.equal(await check('1'), 1);
    });
  });
});

describe('compose.yaml', () => {
  const file = parse(read('compose.yaml'));
  const service: Service = file.services.confab;

  test('follows the specification of Compose', () => {
    assert.deepEqual(composeFaults(file), []);
    const wrong = composeFaults({ services: { confab: { ...service, portz: [] } } });
    assert.ok(wrong.length > 0, 'an unknown key is found');
  });

  test('fits the Dockerfile: its port, its volume, settings that exist', () => {
    const [, port] = /^EXPOSE (\d+)$/m.exec(read('Dockerfile')) ?? [];
    assert.ok(service.ports.every((each) => each.startsWith('127.0.0.1:') && each.endsWith(`:${port}`)));
    const [, volume] = /^VOLUME (\S+)$/m.exec(read('Dockerfile')) ?? [];
    assert.ok(service.volumes.some((each) => each.endsWith(`:${volume}`)));
    for (const each of service.volumes) assert.ok(each.split(':')[0] ?? '' in file.volumes, each);
    for (const name of Object.keys(service.environment)) assert.ok(variables.has(name), name);
    assert.ok(configFrom(service.environment).publicUrl);
  });
});

describe('confab.service', () => {
  const unit = read('confab.service').replaceAll(/^#.*\n/gm, '');

  test('sets settings that exist, and stops later than the server does by itself', () => {
    for (const [name] of unit.matchAll(/CONFAB_\w+/g)) assert.ok(variables.has(name), name);
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    assert.ok(seconds > configFrom({}).stopSeconds);
  });

  // `npx node proof/configs.ts` runs the server within the limits of the unit.
  test('lets the server list the addresses of the machine, without which no webhook is delivered', () => {
    assert.match(unit, /^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  });
});

// `npx node proof/failover.ts` runs them.
describe('the files of docs/ha', () => {
  test('set settings that exist', () => {
    const values = parseEnv(read('docs/ha/confab.env').replaceAll('ADDRESS', '10.0.0.11'));
    for (const name of Object.keys(values)) assert.ok(variables.has(name), name);
    assert.equal(configFrom(values).publicUrl, 'https://confab.example.com');
  });

  test('answer for nodes that are gone as Confab does', () => {
    const [head = '', body = ''] = read('docs/ha/unavailable.http').split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 503 /);
    assert.match(head, /^Retry-After: \d+\r$/m);
    assert.match(head, new RegExp(`^Content-Length: ${Buffer.byteLength(body)}\r$`, 'm'));
    const { status, code } = JSON.parse(body) as { status: number; code: ProblemCode };
    assert.equal(problems[code].status, status);
  });
});

describe('the examples of confab.yaml', () => {
  const examples = readGuide('configuration.md').codeIn('yaml');

  test('are read by the server, and fit the schema that docs/ and editors have', () => {
    const schema = JSON.parse(read('docs/confab.schema.json'));
    assert.deepEqual(schema, configSchema(settings));
    const fits = new Ajv({ strict: false }).compile(schema);
    assert.ok(examples.length > 0);
    for (const [n, text] of examples.entries()) {
      const file = join(folder, `confab-${n}.yaml`);
      const secret = join(folder, 'secret');
      writeFileSync(secret, 'smtp://mail.example.com', { mode: 0o600 });
      writeFileSync(file, text.replaceAll(/\/run\/secrets\/\S+/g, secret), { mode: 0o600 });
      assert.equal(configFrom({ CONFAB_CONFIG: file }).publicUrl, 'https://confab.example.com');
      assert.ok(fits(parse(text)), JSON.stringify(fits.errors));
    }
  });
});

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: object;
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
};

// Grafana shows panels without data for a metric that no server reports, and lays panels over each other.
describe('the dashboard', () => {
  const server = useServer();
  const dashboard: { readonly title: string; readonly uid: string; readonly panels: readonly Panel[] } =
    JSON.parse(read('docs/monitoring/dashboard.json'));
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  test('and the alerts name metrics that a running server reports', async () => {
    const reply = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    const page = await reply.text();
    const declared = new Set([...page.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
    const alerts = [...read('docs/monitoring/alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map(
      ([, expr = '']) => expr,
    );
    const named = [...expressions, ...alerts].flatMap(
      (expr) => expr.match(/\b(?:confab|nodejs|process)_[a-z0-9_]+/g) ?? [],
    );
    assert.ok(new Set(named).size > 20);
    for (const name of named)
      assert.ok(declared.has(name) || declared.has(name.replace(/_(?:bucket|sum|count)$/, '')), name);
    assert.ok((await samplesOf(server)).size > declared.size / 2);
  });

  test('has panels that lie side by side, with ids and queries of their own', () => {
    const { panels } = dashboard;
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const [n, one] of panels.entries()) {
      assert.ok(one.title !== '' && one.gridPos.x >= 0 && one.gridPos.x + one.gridPos.w <= 24, one.title);
      const refs = (one.targets ?? []).map(({ refId }) => refId);
      assert.equal(new Set(refs).size, refs.length, one.title);
      if (one.type !== 'row') assert.ok(refs.length > 0, one.title);
      for (const other of panels.slice(n + 1))
        assert.ok(!overlap(one.gridPos, other.gridPos), `${one.title}, ${other.title}`);
    }
  });
});

function overlap(a: Panel['gridPos'], b: Panel['gridPos']): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

// The server of the test is in this process, so it must go on meanwhile.
async function spawnAsync(args: readonly string[], env: Record<string, string>): Promise<number | null> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  const { promise, resolve: ended } = Promise.withResolvers<number | null>();
  child.once('exit', ended);
  return await promise;
}
