import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readText } from 'confab-testing/deploy.ts';
import { root } from 'confab-tools/places.ts';
import { releaseNotes, saidVersions, sectionOf, withLinks } from 'confab-tools/release/notes.ts';
import { parse } from 'yaml';

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
};
type Job = {
  readonly needs?: string | readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly Step[];
};

const text = readText('.github/workflows/release.yml');
const workflow: {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
} = parse(text);
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, { steps: own }]) => own);
const scripts = steps.flatMap(({ run }) => run ?? []);
const needsOf = (job: Job) => [job.needs ?? []].flat();
const { version } = JSON.parse(readText('package.json')) as { readonly version: string };

// Nobody can try the workflow but by a release.
describe('the workflow of a release', () => {
  test('runs for tags alone, and publishes nothing that was not verified', () => {
    assert.deepEqual(Object.keys(workflow.on), ['push']);
    assert.deepEqual(Object.keys(workflow.on.push), ['tags']);
    assert.ok(workflow.jobs['verify']?.steps.some(({ run }) => run === 'bash .ci/run'));
    function isVerified(name: string): boolean {
      const needs = needsOf(workflow.jobs[name] ?? assert.fail(`there is no job ${name}`));
      return needs.some((each) => each === 'verify' || isVerified(each));
    }
    for (const [name] of jobs) assert.ok(name === 'verify' || isVerified(name), name);
  });

  test('gives each job only the rights that it needs', () => {
    assert.deepEqual(workflow.permissions, {});
    const writes = jobs.map(([name, { permissions }]) => [
      name,
      Object.keys(permissions).filter((right) => permissions[right] === 'write'),
    ]);
    assert.deepEqual(Object.fromEntries(writes), {
      verify: [],
      pack: [],
      npm: ['id-token'],
      image: ['packages', 'id-token'],
      python: ['id-token'],
      release: ['contents'],
    });
    const secrets = text.match(/secrets\.\w+/g);
    assert.deepEqual([...new Set(secrets)], ['secrets.GITHUB_TOKEN']);
  });

  test('pins each action to a commit, with the version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, use = '']) => use);
    assert.equal(used.length, steps.filter(({ uses }) => uses !== undefined).length);
    const byAction = new Map<string, string>();
    for (const use of used) {
      const [, action = ''] =
        /^([\w-]+\/[\w-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.exec(use) ?? assert.fail(use);
      assert.equal(byAction.get(action) ?? use, use, `one version of ${action}`);
      byAction.set(action, use);
    }
  });

  test('runs scripts that exist', () => {
    const { scripts: known } = JSON.parse(readText('package.json'));
    const named = scripts.flatMap((script) => [...script.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)]);
    assert.ok(named.length > 0);
    for (const [, name = ''] of named) assert.ok(known[name], name);
    const files = scripts.flatMap((script) => [...script.matchAll(/(?:node|bash) ([\w./-]+)/g)]);
    assert.ok(files.length > 2);
    for (const [, file = ''] of files) assert.ok(existsSync(join(root, file)), file);
  });

  test('has shell that bash can read', () => {
    for (const script of scripts) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
  });

  test('publishes every package, with a proof of provenance', () => {
    const { workspaces } = JSON.parse(readText('package.json')) as { readonly workspaces: readonly string[] };
    const publish = scripts.find((script) => script.includes('npm publish')) ?? '';
    const names = /for name in (.*); do/.exec(publish)?.[1]?.split(' ');
    const packages = workspaces
      .map((folder) => JSON.parse(readText(`${folder}/package.json`)) as { name: string; private?: true })
      .filter((manifest) => manifest.private !== true)
      .map(({ name }) => name);
    assert.deepEqual(names?.toSorted(), packages.toSorted());
    assert.match(publish, /npm publish .* --provenance /);
  });

  test('builds an image of two architectures with its parts and provenance, and signs it', () => {
    const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))?.with;
    assert.equal(build?.['platforms'], 'linux/amd64,linux/arm64');
    assert.deepEqual([build?.['push'], build?.['sbom'], build?.['provenance']], [true, true, 'mode=max']);
    assert.ok(scripts.some((script) => script.startsWith('cosign sign ')));
  });

  test('gives the chart of the release its image', () => {
    const [, line = ''] = /sed -i "s\|\^(.*?)\|/.exec(text) ?? [];
    assert.equal(readText('deploy/helm/confab/values.yaml').split(`\n${line}`).length, 2);
  });
});

describe('the text of a release', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['tools/release-notes.ts', ...args], { cwd: root, encoding: 'utf8' });

  test('is the section of CHANGELOG.md for its tag', () => {
    const { status, stdout, stderr } = run(`v${version}`);
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim(), sectionOf(readText('CHANGELOG.md'), version));
    assert.ok(stdout.length > 100);
    assert.doesNotMatch(stdout, /^## /m);
  });

  test('is refused where the files say another version, and each is named', () => {
    const { status, stdout, stderr } = run('v9.9.9');
    assert.deepEqual([status, stdout], [1, '']);
    for (const { file } of saidVersions(root)) assert.ok(stderr.includes(`${file} says ${version}`), file);
  });

  test('is refused for what is no tag of a release', () => {
    for (const tag of ['', version, `v${version}.1`, `release-${version}`])
      assert.throws(() => releaseNotes(root, tag), /is no tag/, tag);
  });

  test('is refused without a section, or with an empty one', () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\nNews.\n\n## 1.2.0 (today)\n\n- This.\n\n## 1.1.0\n\n## 1.0.0\n\n- First.\n';
    assert.equal(sectionOf(changelog, '1.2.0'), '- This.');
    assert.equal(sectionOf(changelog, '1.0.0'), '- First.');
    assert.throws(() => sectionOf(changelog, '1.1.0'), /is empty/);
    assert.throws(() => sectionOf(changelog, '1.2'), /has no section/);
    assert.throws(() => sectionOf(changelog, '1.3.0'), /has no section/);
  });

  test('has links to the files of the tag', () => {
    const base = 'https://git.example/confab/blob/v1.0.0/';
    assert.equal(
      withLinks('[a](docs/a.md#b), [c](https://c.example/), [d](#d)', base),
      `[a](${base}docs/a.md#b), [c](https://c.example/), [d](#d)`,
    );
  });

  test('needs the same version of everything that is published', () => {
    const said = saidVersions(root);
    assert.ok(said.length >= 8);
    for (const each of said) assert.equal(each.version, version, each.file);
  });
});
