import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from 'confab-tools/places.ts';

/** What a property of a type of the kit is, as far as JSON shows it. */
type Kind = 'string' | 'number' | 'boolean' | 'array' | 'list' | 'object';

/** A property that a type of the kit has: whether it can be absent, and what it is. */
type KitProperty = { readonly isOptional: boolean; readonly kind: Kind };

const folder = join(root, 'node_modules/weavy-uikit-web-32/dist/types/types');

/** The declarations of the kit without comments, one after the other. */
const source = readdirSync(folder)
  .filter((name) => name.endsWith('.types.d.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n')
  .replaceAll(/\/\*\*.*?\*\//gs, '');

/** What a type is declared as: `A & { … }`, a union, or an enumeration. */
function declarationOf(name: string): string {
  if (new RegExp(`declare enum ${name} `).test(source)) return '""';
  const found = new RegExp(`^export type ${name} = (.*?);$(?=\\n(?:export|declare|//|$))`, 'ms').exec(source);
  if (found?.[1] === undefined) throw new Error(`the kit has no type ${name}`);
  return found[1];
}

/** What the text of a type is. */
function kindOf(text: string): Kind {
  const type = text.replaceAll(/ ?\| (?:null|undefined)/g, '').trim();
  if (type.endsWith('[]') || type.startsWith('Array<')) return 'array';
  if (type === 'string' || type === 'number' || type === 'boolean') return type;
  if (type === 'true') return 'boolean';
  if (/^["`]/.test(type)) return 'string';
  if (type.endsWith('ResultType')) return 'list';
  // What is declared in place, or made of several.
  if (!/^\w+$/.test(type)) return 'object';
  return kindOf(declarationOf(type));
}

/** The properties of a type of the kit, with those of the types that it is made of. */
export function propertiesOf(name: string): ReadonlyMap<string, KitProperty> {
  const declared = declarationOf(name);
  const properties = new Map<string, KitProperty>();
  for (const [, base = ''] of declared.matchAll(/(?:^|& )(\w+Type)(?= &|$)/g))
    for (const [key, property] of propertiesOf(base)) properties.set(key, property);
  for (const [, key = '', mark, type = ''] of declared.matchAll(/^ {4}(\w+)(\??): (.*?);$/gm))
    properties.set(key, { isOptional: mark === '?', kind: kindOf(type) });
  return properties;
}
