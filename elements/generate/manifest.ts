import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ElementTable, elementTables, propertyTable } from './table.ts';

const source = path.resolve(import.meta.dirname, '../src');

/** The names that the sources of an element have, as pages use them. */
export type Names = {
  readonly parts: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
};

function textOf(places: readonly string[]): string {
  return places
    .flatMap((place) =>
      place.includes('.') ? [place] : globSync(`${place}/**/*.ts`, { cwd: source }).sort(),
    )
    .map((file) => readFileSync(path.join(source, file), 'utf8'))
    .join('\n');
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)]
    .flatMap(([, found = '']) => found.split(' '))
    .filter((name) => name !== '');
}

/** The names in the sources of an element. */
export function namesOf({ sources }: ElementTable): Names {
  const text = textOf(sources);
  // A part can be written as it is, or be chosen: `part=${isNew ? 'item unread' : 'item'}`.
  const written = matches(text, /\bpart="([\w -]+)"/g);
  const chosen = [...text.matchAll(/\bpart=\$\{([^\n]*?)\}(?=[\s>])/g)].flatMap(([, code = '']) =>
    matches(code, /[`']([a-z][\w -]*)['` ]/g),
  );
  const lists = [...text.matchAll(/observedAttributes = \[([^\]]*)\]/g)].map(([, list]) => list).join();
  const fields = [...text.matchAll(/properties = \[([^\]]*)\]/g)].map(([, list]) => list).join();
  return {
    parts: new Set([...written, ...chosen, ...matches(text, /setAttribute\('part', '([\w -]+)'/g)]),
    // The language is read from whatever element has it.
    attributes: new Set([
      'lang',
      ...matches(lists, /'([\w-]+)'/g),
      ...matches(text, /getAttribute\('([\w-]+)'\)/g),
    ]),
    events: new Set(matches(text, /CustomEvent\(\s*'(confab-[\w-]+)'/g)),
    fields: new Set(matches(fields, /'(\w+)'/g)),
  };
}

/** The custom properties that the style sheets and scripts have. */
export function customProperties(): ReadonlySet<string> {
  const files = globSync('**/*.{css,ts}', { cwd: source }).sort();
  const text = files.map((file) => readFileSync(path.join(source, file), 'utf8')).join('\n');
  return new Set(matches(text, /(--confab-[\w-]+)/g));
}

/** The elements with the names that their sources have. */
export function elementsAsBuilt(): readonly ElementTable[] {
  return elementTables.map((element) => {
    const names = namesOf(element);
    return {
      ...element,
      attributes: element.attributes.filter(({ name }) => names.attributes.has(name)),
      properties: element.properties.filter(({ name }) => names.fields.has(name)),
      events: element.events.filter(({ name }) => names.events.has(name)),
      parts: element.parts.filter(({ name }) => names.parts.has(name)),
    };
  });
}

/** The custom properties that there are, in words. */
export function propertiesAsBuilt(): typeof propertyTable {
  const names = customProperties();
  return propertyTable.filter(({ name }) => names.has(name));
}

/** The file of the package that defines the elements. */
const modulePath = 'dist/elements.js';

/** `custom-elements.json`: the manifest in the form on which editors and tools of frameworks have agreed. */
export function manifest(): string {
  const elements = elementsAsBuilt();
  const cssProperties = propertiesAsBuilt().map(({ name, about, default: value }) => ({
    name,
    description: about,
    default: value,
  }));
  const declarations = elements.map((element) => ({
    kind: 'class',
    customElement: true,
    name: element.name,
    tagName: element.tag,
    description: element.about,
    superclass: { name: 'HTMLElement' },
    attributes: element.attributes.map(({ name, type = 'string', about }) => ({
      name,
      type: { text: type },
      description: about,
    })),
    members: element.properties.map(({ name, type, about }) => ({
      kind: 'field',
      name,
      privacy: 'public',
      type: { text: type },
      description: about,
    })),
    events: element.events.map(({ name, type = 'Event', about }) => ({
      name,
      type: { text: type },
      description: about,
    })),
    slots: element.slot === undefined ? [] : [{ name: '', description: element.slot }],
    cssParts: element.parts.map(({ name, about }) => ({ name, description: about })),
    cssProperties,
  }));
  const exports = elements.map(({ tag, name }) => ({
    kind: 'custom-element-definition',
    name: tag,
    declaration: { name, module: modulePath },
  }));
  const document = {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: [{ kind: 'javascript-module', path: modulePath, declarations, exports }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
