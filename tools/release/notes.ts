import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file that says a version, and which. */
export type SaidVersion = { readonly file: string; readonly version: string | undefined };

/** The text of a section of CHANGELOG.md without its heading. Throws where there is none, or nothing in it. */
export function sectionOf(changelog: string, version: string): string {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: .*)?$`, 'm').exec(changelog);
  if (heading === null) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  const rest = changelog.slice(heading.index + heading[0].length);
  const section = rest.split(/^## /m, 1)[0]?.trim() ?? '';
  if (section === '') throw new Error(`the section "## ${version}" of CHANGELOG.md is empty`);
  return section;
}

/** What the files of a checkout that a release publishes say of their version. */
export function saidVersions(root: string): SaidVersion[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  // No package reads the files, so that this runs before `npm ci`.
  const found = (file: string, version: RegExp): SaidVersion => ({
    file,
    version: version.exec(read(file))?.[1],
  });
  const { workspaces } = JSON.parse(read('package.json')) as { readonly workspaces: readonly string[] };
  const packages = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)];
  const charts = globSync('deploy/helm/*/Chart.yaml', { cwd: root });
  const manifest = 'deploy/yunohost/manifest.toml';
  const python = 'clients/python/pyproject.toml';
  return [
    ...packages.map((file) => ({ file, version: JSON.parse(read(file)).version as string })),
    ...charts.flatMap((file) => [
      found(file, /^version: (.*)$/m),
      { ...found(file, /^appVersion: (.*)$/m), file: `appVersion of ${file}` },
    ]),
    found(manifest, /^version = "(.*)~ynh\d+"$/m),
    ...(existsSync(join(root, python)) ? [found(python, /^version = "(.*)"$/m)] : []),
  ];
}

/** Makes the links to files of a text absolute: those of a release begin elsewhere. `base` ends with a slash. */
export function withLinks(text: string, base: string): string {
  return text.replaceAll(/\]\((?![a-z]+:|#)/g, `](${base}`);
}

/** The text of a release. Throws for a tag that is not `v` and a version, and where a file says another version. */
export function releaseNotes(root: string, tag: string): string {
  if (!/^v\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(tag)) throw new Error(`"${tag}" is no tag such as v0.2.0`);
  const version = tag.slice(1);
  const others = saidVersions(root).filter((said) => said.version !== version);
  if (others.length > 0) {
    const list = others.map((said) => `${said.file} says ${said.version ?? 'none'}`).join(', ');
    throw new Error(`the tag is ${tag}: ${list}`);
  }
  return sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
}
