import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { composeFaults } from 'confab-testing/compose.ts';
import { deployFiles, imagePort, knownVariables, readText } from 'confab-testing/deploy.ts';
import { root } from 'confab-tools/places.ts';
import { parse } from 'yaml';
import { commandLine } from '../../../../src/commands/program.ts';
import { configFrom } from '../../../../src/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-one-click-'));
after(() => rmSync(folder, { recursive: true }));

describe('every file for operators', () => {
  test('names settings that exist', () => {
    assert.ok(deployFiles.length > 30);
    const named = deployFiles.flatMap((file) =>
      [...readText(file).matchAll(/\bCONFAB_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => [file, name] as const),
    );
    assert.ok(named.length > 20);
    for (const [file, name] of named) assert.ok(knownVariables.has(name), `${name} in ${file}`);
  });
});

// The format is that of the templates that Coolify itself has: a Compose file with comments at its head.
describe('the template for Coolify', () => {
  const text = readText('deploy/one-click/coolify.yaml');
  const file = parse(text);

  test('has the comments that Coolify reads, and the port of the image', () => {
    const head = Object.fromEntries(
      [...text.matchAll(/^# (\w+): (.*)$/gm)].map(([, key, value]) => [key, value]),
    );
    for (const key of ['documentation', 'slogan', 'category', 'tags', 'logo'])
      assert.ok((head[key] ?? '').length > 3, key);
    assert.equal(Number(head['port']), imagePort);
  });

  test('follows the specification of Compose, with settings that the server takes', () => {
    assert.deepEqual(composeFaults(file), []);
    const lines: readonly string[] = file.services.confab.environment;
    assert.ok(lines.includes(`SERVICE_URL_CONFAB_${imagePort}`));
    const made: Readonly<Record<string, string>> = {
      SERVICE_URL_CONFAB: 'https://confab.example.com',
      SERVICE_PASSWORD_64_BACKUP: 'x'.repeat(64),
    };
    const variables = lines
      .filter((line) => line.includes('='))
      .map((line) => {
        const [name = '', ...value] = line.split('=');
        const filled = value.join('=').replace(/\$\{(\w+)(?::-(.*))?\}/, (_, own, standard) => {
          assert.ok(own in made || own === name, own);
          return made[own] ?? standard ?? '';
        });
        return [name, filled];
      });
    const config = configFrom(Object.fromEntries(variables));
    assert.equal(config.publicUrl, 'https://confab.example.com');
    assert.equal(config.backupTo, '/backups');
  });
});

describe('the template for CapRover', () => {
  const text = readText('deploy/one-click/caprover.yml');
  const file = parse(text);
  type Variable = { readonly id: string; readonly label: string; readonly validRegex?: string };
  const variables: readonly Variable[] = file.caproverOneClickApp.variables;

  test('is of version 4, and its app is at the port of the image', () => {
    assert.equal(file.captainVersion, 4);
    assert.equal(Number(file.services.$$cap_appname.caproverExtra.containerHttpPort), imagePort);
    for (const key of ['displayName', 'description', 'documentation'])
      assert.ok(file.caproverOneClickApp[key].length > 3, key);
    for (const key of ['start', 'end'])
      assert.ok(file.caproverOneClickApp.instructions[key].length > 20, key);
  });

  test('asks for the variables that it uses', () => {
    const own = ['$$cap_appname', '$$cap_root_domain', '$$cap_gen_random_hex'];
    const used = new Set(JSON.stringify(file.services).match(/\$\$cap_[a-z_]+/g));
    assert.deepEqual(
      [...used].filter((id) => !own.includes(id)).toSorted(),
      variables.map(({ id }) => id).toSorted(),
    );
    for (const { label } of variables) assert.ok(label.length > 3);
  });

  test('takes what it asks for, and not everything', () => {
    const answers: Readonly<Record<string, readonly [string, string]>> = {
      $$cap_image: ['ghcr.io/someone/confab:0.1.0', 'ghcr.io/someone/confab'],
      $$cap_passphrase: ['0123456789ab', 'short'],
    };
    for (const { id, validRegex } of variables) {
      if (validRegex === undefined) continue;
      const form = new RegExp(validRegex.slice(1, -1));
      const [right, wrong] = answers[id] ?? assert.fail(id);
      assert.match(right, form);
      assert.doesNotMatch(wrong, form);
    }
  });

  test('has settings that the server takes', () => {
    const filled: Readonly<Record<string, string>> = {
      $$cap_appname: 'confab',
      $$cap_root_domain: 'example.com',
      $$cap_cors_origins: '',
      $$cap_passphrase: 'x'.repeat(32),
    };
    const environment: Readonly<Record<string, string>> = file.services.$$cap_appname.environment;
    const read = Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\$cap_[a-z_]+/g, (id) => filled[id] ?? assert.fail(id)),
    ]);
    assert.equal(configFrom(Object.fromEntries(read)).publicUrl, 'https://confab.example.com');
  });
});

// `npx node proof/deploy.ts` also reads the scripts with shellcheck and the configuration with nginx.
describe('the package for YunoHost', () => {
  const place = 'deploy/yunohost';
  const scripts = ['install', 'remove', 'upgrade', 'backup', 'restore'];
  const manifest = readText(`${place}/manifest.toml`);
  /** What the manifest and the helpers give to the templates. */
  const given: Readonly<Record<string, string>> = {
    APP: 'confab',
    DATA_DIR: '/home/yunohost.app/confab',
    DOMAIN: 'confab.example.com',
    INSTALL_DIR: '/var/www/confab',
    PASSPHRASE: 'x'.repeat(32),
    PATH_WITH_NODEJS: '/usr/bin:/bin',
    PORT: '8095',
  };
  const filled = (file: string) =>
    readText(file).replaceAll(
      /__([A-Z_]+?)__/g,
      (_, name) => given[name] ?? assert.fail(`${name} in ${file}`),
    );

  test('has the five scripts, which bash can read', () => {
    for (const name of [...scripts, '_common.sh']) {
      const path = join(root, place, 'scripts', name);
      if (name !== '_common.sh') accessSync(path, constants.X_OK);
      const { status, stderr } = spawnSync('bash', ['-n', path], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
  });

  test('has a manifest of version 2 with what YunoHost requires', () => {
    assert.match(manifest, /^packaging_format = 2$/m);
    assert.match(manifest, /^helpers_version = "2\.1"$/m);
    for (const table of ['upstream', 'integration', 'install', 'resources'])
      assert.match(manifest, new RegExp(`^\\[${table}\\]$`, 'm'));
    for (const key of ['id', 'name', 'description\\.en', 'version', 'maintainers', 'license', 'yunohost'])
      assert.match(manifest, new RegExp(`^${key} = .+$`, 'm'));
    for (const resource of ['system_user', 'install_dir', 'data_dir', 'permissions', 'ports'])
      assert.match(manifest, new RegExp(`^ +\\[resources\\.${resource}\\]$`, 'm'));
  });

  test('has settings that the server takes', () => {
    const file = join(folder, 'confab.yaml');
    writeFileSync(file, filled(`${place}/conf/confab.yaml`), { mode: 0o600 });
    const config = configFrom({ CONFAB_CONFIG: file });
    assert.equal(config.publicUrl, 'https://confab.example.com');
    assert.equal(config.port, 8095);
    assert.notEqual(config.backupTo, config.dataDir);
  });

  test('fills in every template', () => {
    const templates = deployFiles.filter((file) => /^deploy\/yunohost\/(conf|doc)\//.test(file));
    assert.equal(templates.length, 6);
    for (const file of templates) assert.doesNotMatch(filled(file), /__[A-Z]/);
  });

  test('installs a Node that the server takes', () => {
    const version = Number(/^nodejs_version=(\d+)$/m.exec(readText(`${place}/scripts/_common.sh`))?.[1]);
    const least = Number(/\d+/.exec(JSON.parse(readText('server/package.json')).engines.node)?.[0]);
    assert.ok(version >= least, `${version}`);
  });

  test('runs commands that exist', () => {
    const lines = scripts
      .flatMap((name) => readText(`${place}/scripts/${name}`).split('\n'))
      .filter((line) => /^\s*confab /.test(line));
    assert.equal(lines.length, 3);
    for (const line of lines) {
      const [, first, second] = line.trim().split(' ');
      const group = commandLine().commands.find((each) => each.name() === first);
      const command = group?.commands.find((each) => each.name() === second) ?? assert.fail(line);
      const flags = command.options.map(({ long }) => long);
      for (const [, flag] of line.matchAll(/ (--[a-z]+)/g)) assert.ok(flags.includes(flag), line);
    }
  });
});
