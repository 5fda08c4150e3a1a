import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { root } from 'confab-tools/places.ts';

/** The files from which the guide has three servers built. */
const guide = resolve(root, 'docs/ha');

/** Mistakes to make on purpose: what to replace in which file. */
export type Mistakes = { readonly [file: string]: { readonly [text: string]: string } };

/** What the guide cannot know: the network of the run, the folder of its files and the passwords. */
export class Machines {
  readonly folder: string;
  readonly #net: number;
  readonly #mistakes: Mistakes;
  readonly #passwords = new Map<string, string>();

  /** `net` is the third number of the addresses, from 1 to 254; no other run on this machine may have it. */
  constructor(folder: string, net: number, mistakes: Mistakes = {}) {
    this.folder = folder;
    this.#mistakes = mistakes;
    this.#net = net;
  }

  /** The address on this machine of one that the guide names by the last number of its address. */
  address(last: number): string {
    return `127.0.${this.#net}.${last}`;
  }

  /** The password of a role, as in the files. */
  password(role: string): string {
    const password = this.#passwords.get(role) ?? randomUUID();
    this.#passwords.set(role, password);
    return password;
  }

  /** A file of the guide, for this run. Every replacement has to find what it replaces. */
  textOf(name: string, replacements: { readonly [text: string]: string } = {}): string {
    let text = readFileSync(join(guide, name), 'utf8');
    for (const [from, to] of Object.entries({ ...replacements, ...this.#mistakes[name] })) {
      if (!text.includes(from)) throw new Error(`${name} of the guide does not have ${from}`);
      text = text.replaceAll(from, to);
    }
    return text
      .replaceAll(/\b10\.0\.0\.0\/24/g, '127.0.0.0/8')
      .replaceAll(/\b10\.0\.0\.(\d+)/g, (_, last) => this.address(Number(last)))
      .replaceAll(/PASSWORD-OF-([A-Z]+)/g, (_, role: string) => this.password(role.toLowerCase()));
  }

  /** Writes a file of the guide for this run, and returns its path. */
  write(name: string, to: string, replacements: { readonly [text: string]: string } = {}): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o755 });
    const path = join(this.folder, to);
    writeFileSync(path, this.textOf(name, replacements), { mode: 0o644 });
    return path;
  }

  /** The settings of a node, which has the address `10.0.0.LAST`. */
  settings(last: number): Record<string, string> {
    return parseEnv(this.textOf('confab.env', { ADDRESS: this.address(last) })) as Record<string, string>;
  }
}
