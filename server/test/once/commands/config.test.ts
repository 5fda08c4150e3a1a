import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { configFrom, settings } from '../../../src/config/config.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { flagOf, isReadByAll, type Settings } from '../../../src/config/sources.ts';

// Others can enter this folder, as they can enter /etc.
const root = mkdtempSync(join(tmpdir(), 'confab-config-'));
chmodSync(root, 0o755);
after(() => rmSync(root, { recursive: true, force: true }));

let files = 0;

/** Writes a file, by default one that only this user can read, and returns its path. */
function file(text: string, mode = 0o600): string {
  files += 1;
  const path = join(root, `${files}.yaml`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const cli = resolve(import.meta.dirname, '../../../src/cli.ts');

/** Runs `confab` in a folder with nothing in its environment but these variables. */
function confab(args: readonly string[], environment: Record<string, string> = {}, cwd = root) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
  });
  return { status, stdout, stderr };
}

// A flag wins over the environment, which wins over the file, which wins over the default.
describe('where settings stand', () => {
  const path = file(
    'port: 1\nhost: 10.0.0.1\npages: keys\ncors-origins: [https://a.example, https://b.example]\n',
  );

  test('the first place that has a setting gives its value', () => {
    const config = configFrom(
      { CONFAB_CONFIG: path, CONFAB_PORT: '2', CONFAB_HOST: '10.0.0.2' },
      { port: '3' },
    );
    const { port, host, pages, people } = config;
    assert.deepEqual([port, host, pages, people], [3, '10.0.0.2', 'keys', 'all']);
  });

  test('an origin may have a slash at its end, as in the address bar of a browser', () => {
    const of = (origins: string) => configFrom({ CONFAB_CORS_ORIGINS: origins }).corsOrigins;
    assert.deepEqual(of('https://a.example/, https://b.example'), ['https://a.example', 'https://b.example']);
    for (const wrong of ['https://a.example//', 'https://a.example/blog/', '/'])
      assert.throws(() => of(wrong), /is not an origin such as https:/, wrong);
  });

  test('an empty variable or key counts as not set', () => {
    assert.equal(configFrom({ CONFAB_CONFIG: path, CONFAB_PORT: '' }).port, 1);
    assert.equal(configFrom({ CONFAB_CONFIG: file('port:\n') }).port, 8080);
    assert.equal(configFrom({ CONFAB_CONFIG: file('# nothing\n') }).port, 8080);
  });

  test('values of the file stay the text that they are', () => {
    const config = configFrom({
      CONFAB_CONFIG: file(
        'client-version: 22.10\nwebhook-https-only: no\ndemo: off\negress-ports: [80, 443]\n',
      ),
    });
    assert.equal(config.clientVersion, '22.10');
    assert.equal(config.webhookHttpsOnly, 'no');
    assert.equal(config.demo, 'off');
    assert.equal(config.egressPorts, '80,443');
    assert.deepEqual(configFrom({ CONFAB_CONFIG: path }).corsOrigins, [
      'https://a.example',
      'https://b.example',
    ]);
  });

  test('a secret can stand in a file of its own, in each of the three ways', () => {
    const secret = file('wys_from-a-file\r\n');
    for (const config of [
      configFrom({ CONFAB_API_KEY_FILE: secret }),
      configFrom({}, { 'api-key-file': secret }),
      configFrom({ CONFAB_CONFIG: file(`api-key-file: ${secret}\n`) }),
      configFrom({ CONFAB_API_KEY: 'wys_other' }, { 'api-key-file': secret }),
    ])
      assert.equal(config.apiKey, 'wys_from-a-file');
  });
});

const secretsOfTwoWays = { CONFAB_API_KEY: 'wys_a', CONFAB_API_KEY_FILE: '/nowhere' };
const empty = file('');
const refusals: [
  string,
  { environment?: Record<string, string>; yaml?: string; flags?: object },
  string | RegExp,
][] = [
  [
    'an unknown variable',
    { environment: { CONFAB_PROT: '1' } },
    'CONFAB_PROT is no setting of Confab; did you mean CONFAB_PORT?',
  ],
  [
    'an unknown key',
    { yaml: 'host: x\nprot: 1\n' },
    /^prot in .*yaml is no setting of Confab; did you mean port\?$/,
  ],
  ['a key with underscores', { yaml: 'data_dir: x\n' }, /^data_dir in .* did you mean data-dir\?$/],
  ['a file that names a file', { yaml: 'config: x\n' }, /^config in .* is no setting of Confab/],
  ['a value of a variable', { environment: { CONFAB_PORT: 'x' } }, /^CONFAB_PORT must be a whole number/],
  ['a value of a flag', { flags: { port: 'x' } }, /^--port must be a whole number/],
  ['a value of a key', { yaml: 'port: x\n' }, /^port in .*yaml must be a whole number, 0 to 65535$/],
  ['a list for one value', { yaml: 'port: [1, 2]\n' }, /^port in .*yaml must be a single value$/],
  [
    'a map for a list',
    { yaml: 'cors-origins: {a: b}\n' },
    /^cors-origins in .*yaml must be a list or a text$/,
  ],
  ['a key twice', { yaml: 'port: 1\nport: 2\n' }, /yaml is no YAML: Map keys must be unique/],
  ['a file without keys', { yaml: '- port\n' }, /yaml must have lines such as "port: 8080"$/],
  [
    'a missing file of settings',
    { flags: { config: '/nowhere/c.yaml' } },
    /^--config names a file that cannot be read: ENOENT.*'\/nowhere\/c.yaml'$/,
  ],
  [
    'a missing file of a secret',
    { environment: { CONFAB_API_KEY_FILE: '/nowhere/key' } },
    /^CONFAB_API_KEY_FILE names a file that cannot be read: ENOENT.*'\/nowhere\/key'$/,
  ],
  [
    'an empty file of a secret',
    { environment: { CONFAB_API_KEY_FILE: empty } },
    `CONFAB_API_KEY_FILE names ${empty}, which is empty`,
  ],
  [
    'a secret in two ways',
    { environment: secretsOfTwoWays },
    'CONFAB_API_KEY and CONFAB_API_KEY_FILE are both set; set one of them',
  ],
  [
    'a short secret of a file',
    { environment: { CONFAB_JWT_SECRET_FILE: file('short\n') } },
    'CONFAB_JWT_SECRET_FILE must have at least 32 bytes',
  ],
  [
    'half of a pair, one of them in the file',
    { yaml: 'smtp-url: smtp://localhost\n' },
    /^smtp-url in (\S+yaml) is set and mail-from in \1 is not$/,
  ],
  [
    'half of a pair as a flag',
    { flags: { 's3-bucket': 'files' } },
    '--s3-bucket needs --s3-region, or --s3-endpoint for a store of your own',
  ],
  [
    'a pair from two places',
    { flags: { 'secrets-key-file': '/k' }, environment: { CONFAB_SECRETS_KEY: 'a'.repeat(64) } },
    'CONFAB_SECRETS_KEY and --secrets-key-file are both set; set one of them',
  ],
];

// An error names the setting as it was written, so that the operator finds the place to mend.
describe('a setting that is refused', () => {
  for (const [what, { environment = {}, yaml, flags = {} }, message] of refusals)
    test(what, () => {
      const given = yaml === undefined ? environment : { ...environment, CONFAB_CONFIG: file(yaml) };
      assert.throws(() => configFrom(given, { ...flags }), { message });
    });
});

// The schema accepts what the reader accepts, so that an editor does not mislead.
describe('the JSON Schema of the file', () => {
  const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(configSchema(settings));

  test('has every setting, and accepts its default', () => {
    for (const { variable, default: standard = '', kind, isOutsideFile } of Object.values(
      settings as Settings,
    )) {
      if (isOutsideFile === true || standard === '') continue;
      const value = kind.schema.type === 'integer' ? Number(standard) : standard;
      assert.ok(isValid({ [flagOf(variable)]: value }), variable);
    }
  });

  test('refuses what the reader refuses', () => {
    assert.ok(
      isValid({ port: 8080, 'cors-origins': ['https://a.example'], 'api-key-file': '/run/secrets/key' }),
    );
    for (const wrong of [{ prot: 1 }, { port: 70_000 }, { demo: 'always' }, { host: ['a'] }, { config: 'x' }])
      assert.ok(!isValid(wrong), JSON.stringify(wrong));
  });

  test('is printed', () => {
    const { status, stdout } = confab(['config', 'schema']);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(configSchema(settings))));
  });
});

// What is in effect is shown with where it stands, and never a secret.
describe('confab config', () => {
  test('reads confab.yaml of the working folder, and hides secrets', () => {
    writeFileSync(join(root, 'confab.yaml'), 'port: 9000\napi-key: wys_hidden\n', { mode: 0o600 });
    const database = file('postgres://confab:hidden@db/confab\n');
    const environment = { CONFAB_DATABASE_URL_FILE: database, CONFAB_PEOPLE: 'shared' };
    const { status, stdout, stderr } = confab(['config', '--host', '0.0.0.0'], environment);
    assert.deepEqual([status, stderr], [0, '']);
    for (const line of [
      /^setting +value +from$/m,
      /^config +confab\.yaml +default$/m,
      /^host +0\.0\.0\.0 +--host$/m,
      /^port +9000 +port in confab\.yaml$/m,
      /^people +shared +CONFAB_PEOPLE$/m,
      /^api-key +\(hidden\) +api-key in confab\.yaml$/m,
      /^database-url +\(hidden\) +CONFAB_DATABASE_URL_FILE$/m,
      /^pages +open +default$/m,
      /^public-url +not set$/m,
    ])
      assert.match(stdout, line);
    assert.doesNotMatch(stdout, /wys_|:hidden@/);
  });

  test('prints JSON, and warns of a secret that every user of the machine can read', () => {
    const open = file('wys_open', 0o644);
    const environment = { CONFAB_CONFIG: '/dev/null', CONFAB_API_KEY_FILE: open };
    const { status, stdout, stderr } = confab(['config', '--host', '0.0.0.0', '--json'], environment);
    assert.equal(status, 0);
    const { settings: shown, file: read } = JSON.parse(stdout);
    assert.equal(read, '/dev/null');
    assert.deepEqual(shown.host, { value: '0.0.0.0', from: '--host' });
    assert.deepEqual(shown['api-key'], { value: '(hidden)', from: 'CONFAB_API_KEY_FILE' });
    assert.equal(
      stderr,
      `confab: every user of this machine can read the secret CONFAB_API_KEY_FILE in ${open}: run "chmod o= ${open}"\n`,
    );
    assert.ok(isReadByAll(open));
    chmodSync(root, 0o700);
    assert.ok(!isReadByAll(open));
    chmodSync(root, 0o755);
  });

  test('refuses a wrong setting with 2, and the help has the defaults', () => {
    const { status, stderr } = confab(['config', '--port', 'x']);
    assert.deepEqual([status, stderr], [2, 'confab: --port must be a whole number, 0 to 65535\n']);
    const { stdout } = confab(['serve', '--help']);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /--port <value> The port .* \(CONFAB_PORT, default 8080\)/);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /--api-key-file <file> .*\(CONFAB_API_KEY_FILE\)/);
  });
});
