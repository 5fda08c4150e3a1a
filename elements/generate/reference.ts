import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from 'confab-tools/places.ts';
import { elementsAsBuilt, propertiesAsBuilt } from './manifest.ts';
import type { ElementTable } from './table.ts';

const guide = path.resolve(root, 'docs/elements.md');
const heading = '## Reference\n';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A type within a table, whose cells end with a bar. */
const typeOf = (type: string) => `\`${type.replaceAll('|', '\\|')}\``;

function sectionOf(element: ElementTable): string {
  const { tag, about, slot, attributes, properties, events, parts } = element;
  const blocks = [
    `### \`<${tag}>\``,
    slot === undefined ? about : `${about} Inside of it: ${slot.charAt(0).toLowerCase()}${slot.slice(1)}`,
    table(
      ['Attribute', 'Is'],
      attributes.map(({ name, type, about: is }) => [
        `\`${name}\``,
        type === undefined ? is : `${is} ${typeOf(type)}`,
      ]),
    ),
    table(
      ['Property', 'Type', 'Is'],
      properties.map(({ name, type, about: is }) => [`\`${name}\``, typeOf(type), is]),
    ),
    table(
      ['Event', 'In React', 'Says'],
      events.map(({ name, field, about: is }) => [`\`${name}\``, `\`${field}\``, is]),
    ),
    table(
      ['Part', 'Is'],
      parts.map(({ name, about: is }) => [`\`${name}\``, is]),
    ),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** `docs/elements.md`: its last section has what the manifest has; what is before it is written by hand. */
export function elementsGuide(): string {
  const text = readFileSync(guide, 'utf8');
  const at = text.indexOf(`\n${heading}`);
  if (at < 0) throw new Error('docs/elements.md has no section of reference');
  const properties = table(
    ['Custom property', 'Default', 'Is'],
    propertiesAsBuilt().map(({ name, default: value, about }) => [`\`${name}\``, value, about]),
  );
  return [
    text.slice(0, at + 1) + heading,
    'This section is made from the manifest.\n',
    ...elementsAsBuilt().map((element) => `${sectionOf(element)}\n`),
    '### Custom properties\n',
    `All elements have them.\n\n${properties}\n`,
  ].join('\n');
}
