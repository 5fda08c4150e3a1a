import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nearestOf } from '../kernel/nearest.ts';
import { yaml } from '../kernel/packages.ts';
import type { Kind, Setting } from './values.ts';

/**
 * Where settings stand: flags win over the environment, which wins over the configuration file. A setting has one name in
 * three spellings: `CONFAB_DATA_DIR` in the environment, `--data-dir` as a flag and `data-dir` in the file. Errors use the
 * spelling of the place in which the setting stands (decision 0077).
 */

/** The values of flags by their names without hyphens in front. */
export type Flags = { readonly [flag: string]: string | undefined };

/** A table of settings by the names of their fields in the configuration. */
export type Settings = { readonly [name: string]: Setting<unknown> };

/** One of the places. */
type Source = {
  find(variable: string): string | undefined;
  spell(variable: string): string;
};

/** The text of a setting, with where it stands. */
export type SettingText = {
  readonly text: string;
  readonly source: Source;
  /** The name of the setting as it is spelled there. */
  readonly spelled: string;
  /** The file that has the text. */
  readonly path: string | undefined;
};

/** All settings that were found. */
export type Gathered = {
  /** The path of the configuration file; undefined when there is none. */
  readonly file: string | undefined;
  /** By the field of the setting; those that stand nowhere are missing. */
  readonly settings: ReadonlyMap<string, SettingText>;
  /** Sentences about files with secrets that every user of the machine can read. */
  readonly warnings: readonly string[];
  /** Replaces the variables in a message with the spelling of the place in which each setting stands. */
  readonly respell: (message: string) => string;
};

/** The flag of a setting, which is also its key in the file: `CONFAB_DATA_DIR` is `data-dir`. */
export function flagOf(variable: string): string {
  return variable.slice('CONFAB_'.length).toLowerCase().replaceAll('_', '-');
}

/** The variable that names a file with the value of a setting; undefined for settings that are given as they are. */
export function fileVariableOf({ variable, isSecret }: Setting<unknown>): string | undefined {
  // CONFAB_SECRETS_KEY_FILE is a setting of its own, because Confab creates that file.
  return isSecret === true && variable !== 'CONFAB_SECRETS_KEY' ? `${variable}_FILE` : undefined;
}

/** The file that is read when neither a flag nor the environment names one. */
const defaultFile = 'confab.yaml';

/** Where to look for settings. */
export type Places = {
  readonly flags: Flags;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether to read the default file if it exists. */
  readonly hasDefaultFile: boolean;
};

/** Finds the text of every setting. Throws an Error that names an unknown setting, or a file that cannot be read. */
export function gatherSettings(settings: Settings, places: Places): Gathered {
  const { flags, environment } = places;
  const table = Object.values(settings);
  const variables = table.flatMap((one) => [one.variable, fileVariableOf(one) ?? []].flat());
  refuseUnknown(
    Object.keys(environment).filter((name) => name.startsWith('CONFAB_')),
    { known: variables, suffix: '' },
  );
  const inEnvironment: Source = {
    find: (variable) => (environment[variable] === '' ? undefined : environment[variable]),
    spell: (variable) => variable,
  };
  const asFlag: Source = {
    find: (variable) => flags[flagOf(variable)],
    spell: (variable) => `--${flagOf(variable)}`,
  };
  const sources = [asFlag, inEnvironment];
  const named = findText('CONFAB_CONFIG', { sources });
  const isThere = places.hasDefaultFile && existsSync(defaultFile);
  const file = named?.text ?? (isThere ? defaultFile : undefined);
  if (file !== undefined) sources.push(readFile(file, { named: named?.spelled ?? defaultFile, table }));
  const settingsByName = new Map<string, SettingText>();
  for (const [name, one] of Object.entries(settings)) {
    const value = findText(one.variable, { sources, fileVariable: fileVariableOf(one) });
    if (value !== undefined) settingsByName.set(name, value);
  }
  return {
    file,
    settings: settingsByName,
    warnings: openSecrets(settings, { found: settingsByName, file }),
    respell: spellingOf(settings, settingsByName),
  };
}

function refuseUnknown(
  names: readonly string[],
  { known, suffix }: { known: string[]; suffix: string },
): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `${unknown}${suffix} is no setting of Confab; did you mean ${nearestOf(unknown, known)}?`,
    );
}

function findText(
  variable: string,
  { sources, fileVariable }: { sources: readonly Source[]; fileVariable?: string | undefined },
): SettingText | undefined {
  for (const source of sources) {
    const text = source.find(variable);
    const path = fileVariable === undefined ? undefined : source.find(fileVariable);
    if (text !== undefined && path !== undefined)
      throw new Error(
        `${source.spell(variable)} and ${source.spell(`${variable}_FILE`)} are both set; set one of them`,
      );
    if (text !== undefined) return { text, source, spelled: source.spell(variable), path: undefined };
    if (path === undefined) continue;
    const spelled = source.spell(`${variable}_FILE`);
    // Editors and `echo` end a file with a line break.
    const secret = readText(path, spelled).replace(/\r?\n$/, '');
    if (secret === '') throw new Error(`${spelled} names ${path}, which is empty`);
    return { text: secret, source, spelled, path };
  }
  return undefined;
}

function readText(path: string, spelled: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `${spelled} names a file that cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Reads the configuration file. All its values are texts: `no` is the word and `22.10` keeps its zero. */
function readFile(
  path: string,
  { named, table }: { named: string; table: readonly Setting<unknown>[] },
): Source {
  const document = yaml().parseDocument(readText(path, named), { schema: 'failsafe' });
  const [wrong] = document.errors;
  if (wrong !== undefined)
    throw new Error(`${path} is no YAML: ${wrong.message.trimEnd()}`, { cause: wrong });
  const content: unknown = document.toJS({ mapAsMap: true }) ?? new Map();
  if (content !== '' && !(content instanceof Map))
    throw new Error(`${path} must have lines such as "port: 8080"`);
  const values = new Map<string, string>();
  const inFile = table.filter(({ isOutsideFile }) => isOutsideFile !== true);
  const kinds = new Map<string, Kind<unknown> | undefined>();
  for (const one of inFile) {
    kinds.set(flagOf(one.variable), one.kind);
    const fileVariable = fileVariableOf(one);
    if (fileVariable !== undefined) kinds.set(flagOf(fileVariable), undefined);
  }
  const entries = content === '' ? [] : [...(content as Map<unknown, unknown>)];
  refuseUnknown(
    entries.map(([key]) => String(key)),
    { known: [...kinds.keys()], suffix: ` in ${path}` },
  );
  for (const [key, value] of entries as [string, unknown][])
    values.set(key, textOf(value, { where: `${key} in ${path}`, isList: kinds.get(key)?.isList === true }));
  return {
    find: (variable) => values.get(flagOf(variable)) || undefined,
    spell: (variable) => `${flagOf(variable)} in ${path}`,
  };
}

function textOf(value: unknown, { where, isList }: { where: string; isList: boolean }): string {
  if (typeof value === 'string') return value;
  if (isList && Array.isArray(value) && value.every((part) => typeof part === 'string'))
    return value.join(',');
  throw new Error(`${where} must be ${isList ? 'a list or a text' : 'a single value'}`);
}

/** Replaces variables; one that stands nowhere is spelled like the first of the message that does. */
function spellingOf(
  settings: Settings,
  spellings: ReadonlyMap<string, SettingText>,
): (message: string) => string {
  const byVariable = new Map(
    Object.entries(settings).map(([name, { variable }]) => [variable, spellings.get(name)]),
  );
  const names = /\bCONFAB_[A-Z0-9_]+/g;
  return (message) => {
    const first = message
      .match(names)
      ?.map((name) => byVariable.get(name))
      .find((value) => value !== undefined);
    return message.replaceAll(names, (name) =>
      byVariable.has(name) ? (byVariable.get(name)?.spelled ?? first?.source.spell(name) ?? name) : name,
    );
  };
}

/**
 * Whether every user of this machine can read a file: its own mode and those of all folders above permit it. Docker mounts
 * the secrets of a container in /run/secrets with such a mode, where no other user can see them.
 */
export function isReadByAll(path: string): boolean {
  const whole = resolve(path);
  if (whole.startsWith('/run/secrets/') || (statSync(whole).mode & 0o004) === 0) return false;
  for (let folder = dirname(whole); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function openSecrets(
  settings: Settings,
  { found, file }: { found: ReadonlyMap<string, SettingText>; file: string | undefined },
): string[] {
  const paths = new Map<string, string>();
  for (const [name, { spelled, source, path }] of found) {
    if (settings[name]?.isSecret !== true) continue;
    const inFile = source.spell('CONFAB_').endsWith(` in ${file}`) ? file : undefined;
    for (const one of [path ?? inFile]) if (one !== undefined && !paths.has(one)) paths.set(one, spelled);
  }
  return [...paths]
    .filter(([path]) => isReadByAll(path))
    .map(
      ([path, spelled]) =>
        `every user of this machine can read the secret ${spelled}${spelled.endsWith(path) ? '' : ` in ${path}`}: run "chmod o= ${path}"`,
    );
}
