import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findPrograms, unprivilegedAccount } from 'confab-testing/stores/postgres-programs.ts';
import type { Sent } from 'confab-testing/stores/sent-statements.ts';

/** A number that stands in a script as an expression of SQL over the variables of pgbench. */
export type Variable = { readonly sql: string; readonly value: number };

/** The program pgbench beside the PostgreSQL that is found. Throws where there is none. */
export function findPgbench(folder: string): string {
  const program = join(dirname(findPrograms(folder, unprivilegedAccount()).postgres), 'pgbench');
  if (!existsSync(program))
    throw new Error('this needs a PostgreSQL with pgbench, such as the package postgresql of Debian');
  return program;
}

/** Statements as a script. Ids that one of them returned are variables in those after it, as `given` are in all. */
export function scriptOf(statements: readonly Sent[], given: readonly Variable[]): string {
  const known: Variable[] = [...given];
  const lines: string[] = [];
  for (const [index, { text, values, returnedIds }] of statements.entries()) {
    const sql = text
      .replaceAll(/\$([0-9]+)/g, (_, place: string) => literal(values[Number(place) - 1], known))
      .replaceAll(/\s+/g, ' ');
    if (returnedIds.length === 0) {
      // Several statements that were sent in one string are several lines.
      lines.push(...sql.split(/; */).map((part) => `${part};`));
      continue;
    }
    const first = Math.min(...returnedIds);
    // The ids of a batch follow each other.
    const named = sql
      .replace(/ returning id$/, ` returning id as id${index}`)
      .replace(/ select row_number\(\).*$/, ` select min(id) as id${index} from made`)
      .replace(/^select nextval.*$/, `select min(id) as id${index} from ($&) as reserved`);
    lines.push(`${named} \\gset`);
    for (const id of returnedIds)
      known.push({ value: id, sql: `(cast(:id${index} as bigint) + ${id - first})` });
  }
  return `${lines.join('\n')}\n`;
}

function literal(value: unknown, known: readonly Variable[]): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  if (Array.isArray(value)) {
    const first = known.find((one) => one.value === value[0]);
    // pgbench takes at most 255 variables in a statement.
    if (first !== undefined && value.length > 1 && value.every((id, index) => id === first.value + index))
      return `array(select ${first.sql} + n from generate_series(0, ${value.length - 1}) as n)`;
    return `array[${value.map((each) => literal(each, known)).join(', ')}]`;
  }
  if (typeof value === 'number') return known.find((one) => one.value === value)?.sql ?? String(value);
  // A number of ours inside a text is put together with what stands around it.
  const [first, ...rest] = known.filter((one) => String(value).includes(String(one.value)));
  if (first === undefined) return quoted(String(value));
  const parts = String(value).split(String(first.value));
  return `(${parts.map((part) => literal(part, rest)).join(` || cast(${first.sql} as text) || `)})`;
}

/** A text as PostgreSQL reads it; pgbench would take what follows a colon for a variable. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replaceAll(':', '\\x3a')
    .replaceAll('\n', '\\n');
  return `E'${escaped}'`;
}

/** How hard pgbench works. */
export type PgbenchLoad = { readonly clients: number; readonly seconds: number };

/** Runs a script and answers how many times a second it was done. */
export async function runPgbench(
  program: string,
  script: string,
  { url, folder, clients, seconds }: PgbenchLoad & { url: string; folder: string },
): Promise<number> {
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  const effort = ['--jobs=2', `--client=${clients}`, `--time=${seconds}`];
  const args = ['--no-vacuum', '--protocol=prepared', ...effort, `--file=${file}`, url];
  const { stdout, stderr } = await promisify(execFile)(program, args, { maxBuffer: 1e8 });
  const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  if (perSecond === undefined || !/number of failed transactions: 0 /.test(stdout))
    throw new Error(`pgbench failed: ${stdout}${stderr}`);
  return Number(perSecond);
}
