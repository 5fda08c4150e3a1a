import { mkdtempDisposableSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

type Flags = { readonly [name: string]: number | string };

/** A folder for one run, which a scope with `using` removes at its end. */
export function temporaryFolder(name: string): Disposable & { readonly path: string } {
  return mkdtempDisposableSync(join(tmpdir(), `confab-${name}-`));
}

/** A seed for a run without one. */
export const anySeed = Date.now() % 1_000_000;

/** Reads `--name value` for each name, as a number where its default is one. Throws for any other flag or value. */
export function readFlags<F extends Flags>(
  defaults: F,
): { readonly [N in keyof F]: F[N] extends number ? number : string } {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: `${value}` } as const]),
  );
  const flags = Object.entries(parseArgs({ options }).values).map(([name, text]) => {
    if (typeof defaults[name] === 'string') return [name, text];
    if (Number.isNaN(Number(text))) throw new RangeError(`--${name} is a number`);
    return [name, Number(text)];
  });
  return Object.fromEntries(flags) as ReturnType<typeof readFlags<F>>;
}

/** A script that checks guarantees: any violation fails it, and it then keeps its folder. */
export class Suite {
  /** The folder of the stores and logs of the servers. */
  readonly folder: string;
  #isGood = true;

  /** Makes the folder, unless a process that started this one made it. */
  constructor(name: string, folder = mkdtempSync(join(tmpdir(), `confab-${name}-`))) {
    this.folder = folder;
  }

  /** Reports a violation, with the first of the details. */
  fail(sentence: string, details: readonly string[] = []): void {
    this.#isGood = false;
    for (const detail of details.slice(0, 10)) console.log(`  ${detail.slice(0, 600)}`);
    if (details.length > 10) console.log(`  and ${details.length - 10} more`);
    console.log(`FAILED: ${sentence}`);
  }

  /** Fails unless a planted bug was found; `found` describes how. */
  planted(bug: string, found: string | undefined): void {
    if (found === undefined) this.fail(`the planted bug "${bug}" was not found`);
    else console.log(`planted bug "${bug}": found ${found.slice(0, 200)}`);
  }

  /** Runs the parts, or those whose names `only` lists, and reports the verdict. */
  async run(parts: { readonly [name: string]: () => Promise<void> }, only = ''): Promise<void> {
    const startedAt = performance.now();
    for (const [name, part] of Object.entries(parts))
      if (only === '' || only.split(',').includes(name)) await part();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(
      this.#isGood ? `passed in ${seconds} s` : `failed in ${seconds} s; what is left is in ${this.folder}`,
    );
    if (this.#isGood) rmSync(this.folder, { recursive: true });
    else process.exitCode = 1;
  }
}
