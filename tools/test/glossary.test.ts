import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { before, describe, it } from 'node:test';

/**
 * The glossary of ARCHITECTURE.md and those of the packages have every word of an exported name that an engineer cannot
 * know from elsewhere. Known are the words of JavaScript's and Node's own API, those of the interface (openapi.json), and
 * `ordinaryWords`.
 */

/** Everyday words of programming that neither Node nor the interface uses. A coined word belongs in the glossary. */
const ordinaryWords = `
  about absent access activity advance answer api around arrive ask attach audience back bare batch begin between box
  candidate catalogue change checkpoint circumstance class clock column command commit common completion connector contain contextual
  creator credential database db deadline declaration declare deletion demo describe detect diagnosis disk disqus
  docs doctor earlier emoji ensure envelope examine example excerpt exemption expression extension extras fact failure fallback feature fit
  fold folder forget greater guide held hide hold idempotency indent inline inside invocation isatap jwt
  kept kit known lag least leave live localhost look lost lowest made manage markdown markup may mention metric migration most
  ms nat nearest needle normalise note nothing outbox outcome part past people permit place plan poll postgres present
  prose protect purge quote react readiness realtime recipient record redelivery refusal refuse remember renew
  repair replica reply requeue retention route row sample selection sentence serve shape show shown shrink side
  span spec sql statement step subscription taken term than there together topic trait turn tx unfiltered
  anew examination few gather gathered health recount rewrite sum sums surroundings sweep variable
  draft edit github lease manifest mcp minimal redact redaction replay tar tool vacuum
  unindexed unique unless up upload verdict verifier violation visible wake whole wordpress xml
`
  .trim()
  .split(/\s+/);

/** Parts of Node that are experimental or only for tests; they need not be loaded for their words. */
const unusedModules = /^(?:_|node:|sys$|punycode$|repl$|test|inspector|wasi$|trace_events$)/;

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

/** A word and what it may be a form of: `lanes` of `lane`, `sealed` of `seal`, `removable` of `remove`. */
function rootsOf(word: string): string[] {
  const roots = [word];
  const endings = [
    /ies$/,
    'y',
    /ied$/,
    'y',
    /(.)\1(?:ed|ing|er)$/,
    '$1',
    /(?:ed|ing|able|ible|er|al)$/,
    '',
    /(?:ed|ing|able|ible|er|al)$/,
    'e',
  ];
  for (const plain of [word, word.replace(/s$/, ''), word.replace(/es$/, '')]) {
    roots.push(plain);
    for (let at = 0; at < endings.length; at += 2)
      roots.push(plain.replace(endings[at] as RegExp, endings[at + 1] as string));
  }
  return roots;
}

function isFormOf(word: string, vocabulary: ReadonlySet<string>): boolean {
  return rootsOf(word).some((root) => vocabulary.has(root));
}

/** The words of the names of JavaScript's and Node's own API. */
async function platformWords(): Promise<Set<string>> {
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const collect = (value: unknown, depth: number): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (seen.has(value) || depth > 3) return;
    seen.add(value);
    for (const [name, { value: inner }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      for (const word of wordsOf(name)) words.add(word);
      collect(inner, depth + 1);
    }
  };
  collect(globalThis, 0);
  for (const name of builtinModules.filter((each) => !unusedModules.test(each))) {
    for (const word of wordsOf(name)) words.add(word);
    collect(await import(`node:${name}`), 0);
  }
  return words;
}

/** The words of the interface: ids of operations, names of schemas and of properties, values of closed sets. */
function interfaceWords(): Set<string> {
  const names: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'operationId') names.push(String(inner));
      if (key === 'properties' || key === 'schemas') names.push(...Object.keys(inner as object));
      if (key === 'enum') names.push(...(inner as unknown[]).map(String));
      collect(inner);
    }
  };
  collect(JSON.parse(readFileSync('openapi.json', 'utf8')));
  return new Set(names.flatMap(wordsOf));
}

/** Names that the sources of the server, its contract and its importers export, of the kinds that `kinds` matches. Steps of the schema are not read: they never change. */
function exportedNames(kinds: string): string[] {
  const pattern = new RegExp(`^export (?:declare )?(?:async )?(?:${kinds}) +(\\w+)`, 'gm');
  return globSync('{server,contract,importers}/src/**/*.ts', {
    exclude: ['server/src/db/migrations/**'],
  }).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name));
}

/** The terms of the glossary of a document: none where it has none. */
function glossaryTerms(file: string): string[] {
  const [, rest = ''] = readFileSync(file, 'utf8').split('\n## Glossary\n');
  const [glossary = ''] = rest.split('\n## ');
  return [...glossary.matchAll(/^\| (?!Term |-)([^|]+) \|/gm)].flatMap(([, terms = '']) => terms.split(', '));
}

/** The words of `names` that nobody can know: neither in `vocabulary` nor in the glossary. */
function unexplained(names: readonly string[], vocabulary: ReadonlySet<string>): string[] {
  return names.flatMap((name) =>
    wordsOf(name)
      .filter((word) => !isFormOf(word, vocabulary))
      .map((word) => `${word} (${name})`),
  );
}

/** The terms whose words occur together in none of `names`. */
function unused(terms: readonly string[], names: readonly string[]): string[] {
  const roots = names.map((name) => new Set(wordsOf(name).flatMap(rootsOf)));
  return terms.filter((term) => {
    const words = term.split(' ');
    return !roots.some((known) => words.every((word) => isFormOf(word, known)));
  });
}

describe('the glossary', () => {
  const general = glossaryTerms('ARCHITECTURE.md');
  const guides = globSync(['*/README.md', '{clients/*,server/src}/README.md']);
  const terms = [...general, ...guides.flatMap(glossaryTerms)];
  const names = exportedNames('class|type|interface|function\\*?');
  const allNames = exportedNames('class|type|interface|function\\*?|const');
  let vocabulary: ReadonlySet<string>;

  before(async () => {
    const termWords = terms.flatMap((term) => term.split(' '));
    vocabulary = new Set([...(await platformWords()), ...interfaceWords(), ...ordinaryWords, ...termWords]);
  });

  it('has every coined word of an exported type or function', () => {
    assert.ok(names.length > 800);
    assert.deepEqual(unexplained(names, vocabulary), []);
  });

  it('has at most 60 terms in ARCHITECTURE.md, and each term once', () => {
    assert.ok(general.length > 30 && general.length <= 60, `${general.length}`);
    assert.ok(terms.length > general.length);
    assert.deepEqual(terms, [...new Set(terms)]);
  });

  it('has no term that no exported name uses', () => {
    assert.deepEqual(unused(terms, allNames), []);
  });

  it('leaves out only ordinary words that exported names use', () => {
    assert.deepEqual(unused(ordinaryWords, allNames), []);
  });

  it('reports a missing coined word and an outdated term', () => {
    assert.deepEqual(unexplained(['LaneWarden', 'listLanes'], vocabulary), ['warden (LaneWarden)']);
    assert.deepEqual(unused([...terms, 'warden'], allNames), ['warden']);
  });
});
