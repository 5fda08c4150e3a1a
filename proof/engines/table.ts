import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Manner } from '../../elements/test/browser/task-list.ts';

/** The table of what differs by engine, which the guide of the elements keeps. */

/** What was found in an engine: which tasks could be done in which manners, and its traits. */
export type Found = {
  readonly name: string;
  readonly version: string;
  /** The manners in which each task could not be done; empty for a task that could be in all. */
  readonly tasks: ReadonlyMap<string, readonly Manner[]>;
  readonly traits: ReadonlyMap<string, string>;
};

const guide = fileURLToPath(new URL('../../elements/README.md', import.meta.url));
const marks = ['<!-- what differs by engine, written by `npm run engines` -->', '<!-- its end -->'] as const;

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const nameOf = ({ way, screen, language }: Manner) => `${way}, ${screen}, ${language}`;

/** The tasks that all engines do share a row; each other one has its own. */
export function tableOf(found: readonly Found[]): string {
  const rows: string[][] = [];
  const names = [...new Set(found.flatMap(({ tasks }) => [...tasks.keys()]))];
  for (const who of ['guest', 'user', 'reader', 'moderator']) {
    const own = names.filter((name) => name.startsWith(who));
    const done = ({ tasks }: Found) => own.filter((name) => tasks.get(name)?.length === 0).length;
    rows.push([`tasks of a ${who}, of ${own.length}`, ...found.map((each) => String(done(each)))]);
  }
  for (const name of names)
    if (found.some(({ tasks }) => tasks.get(name)?.length !== 0))
      rows.push([
        name,
        ...found.map(({ tasks }) => {
          const not = tasks.get(name);
          if (not === undefined) return 'not tried';
          return not.length === 0 ? 'yes' : `not by ${not.map(nameOf).join('; ')}`;
        }),
      ]);
  for (const [trait] of found[0]?.traits ?? [])
    rows.push([trait, ...found.map(({ traits }) => traits.get(trait) ?? '')]);
  return [
    line(['', ...found.map(({ name, version }) => `${name} ${version}`)]),
    line(['---', ...found.map(() => '---')]),
    ...rows.map(line),
  ].join('\n');
}

/** Puts the table into the guide. */
export function keepTable(table: string): void {
  const text = readFileSync(guide, 'utf8');
  const [before, rest = ''] = text.split(marks[0]);
  const [, after] = rest.split(marks[1]);
  if (after === undefined) throw new Error(`${guide} has no place for the table`);
  writeFileSync(guide, `${before}${marks[0]}\n\n${table}\n\n${marks[1]}${after}`);
}
