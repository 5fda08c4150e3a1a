import type { Operation } from 'confab-contract/operation.ts';
import { makeSecret } from 'confab-server/src/features/credentials/secret-text.ts';
import type { Random } from '../harness/random.ts';
import type { Pool } from './pool.ts';
import { escaped, type Text, type Twin, textOf } from './twins.ts';

/** The caller of a request. */
export type Caller = {
  /** The uid of the acting user, `system` for the API key itself. */
  readonly uid: string;
  readonly isKey: boolean;
  readonly headers: { readonly [name: string]: Text };
};

const nobody: Caller = { uid: '', isKey: false, headers: {} };

/** Draws callers: the API key, users with different rights, and invalid credentials. */
export class Callers {
  /** The tokens of users, including expired ones. */
  readonly #tokens = new Map<string, Twin<string>[]>();
  /** Keys that were made in this run, including revoked ones. */
  #madeKeys: Twin<string>[] = [];
  readonly #random: Random;
  readonly #pool: Pool;
  readonly #key: Caller;

  constructor({ random, pool, key }: { random: Random; pool: Pool; key: string }) {
    this.#random = random;
    this.#pool = pool;
    this.#key = { uid: 'system', isKey: true, headers: { authorization: `Bearer ${key}` } };
  }

  get key(): Caller {
    return this.#key;
  }

  /** Records a token of a user. */
  learn(uid: string, token: Twin<string>): void {
    this.#tokens.set(uid, [...(this.#tokens.get(uid) ?? []), token].slice(-4));
  }

  /** Records an API key that was made. */
  learnKey(key: Twin<string>): void {
    this.#madeKeys = [...this.#madeKeys, key].slice(-8);
  }

  /** How many users have a token that was not refused often. */
  get people(): number {
    return this.#tokens.size;
  }

  /** Records that a user was refused, and is drawn less often from then on. */
  refused(uid: string): void {
    const tokens = this.#tokens.get(uid);
    if (tokens === undefined || !this.#random.oneIn(3)) return;
    tokens.pop();
    if (tokens.length === 0) this.#tokens.delete(uid);
  }

  /** A user by one of their tokens: the newest, or any if so requested. */
  user(uid: string | undefined, { isAny = false } = {}): Caller | undefined {
    const tokens = uid === undefined ? [] : (this.#tokens.get(uid) ?? []);
    const token = isAny ? this.#random.pick(tokens) : tokens.at(-1);
    if (uid === undefined || token === undefined) return undefined;
    return { uid, isKey: false, headers: { authorization: textOf`Bearer ${token}` } };
  }

  /** Any user with a token. */
  anybody(): Caller {
    const uid = this.#random.pick([...this.#tokens.keys()]);
    return this.user(uid, { isAny: this.#random.oneIn(20) }) ?? this.#key;
  }

  /** A caller for an operation, mostly of the kind that it accepts. */
  of({ caller }: Operation): Caller {
    const random = this.#random;
    if (random.oneIn(25)) return this.#stranger();
    if (caller !== 'user' && random.oneIn(30)) return this.#madeKey();
    if (caller === 'key') return random.oneIn(14) ? this.anybody() : this.#key;
    if (caller === 'user') return random.oneIn(14) ? this.#key : this.anybody();
    const kind = random.integer(1, 12);
    if (kind <= 5) return this.#key;
    if (kind === 6) return this.#onBehalf();
    return this.anybody();
  }

  /** A key that may lack a scope, or be revoked. */
  #madeKey(): Caller {
    const key = this.#random.pick(this.#madeKeys);
    return key === undefined
      ? this.#key
      : { ...this.#key, headers: { authorization: textOf`Bearer ${key}` } };
  }

  #onBehalf(): Caller {
    const user = this.#pool.pick('user');
    if (user === undefined) return this.#key;
    const name = this.#random.oneIn(2) ? textOf`${user.id}` : escaped(user.uid ?? '');
    return {
      uid: String(user.fields['uid']),
      isKey: true,
      headers: { ...this.#key.headers, 'x-confab-user': name },
    };
  }

  #stranger(): Caller {
    const authorization = this.#random.pick([
      undefined,
      'Bearer',
      'Bearer x',
      'Basic x',
      `Bearer ${makeSecret('token')}`,
      `Bearer ${makeSecret('key')}`,
    ]);
    return authorization === undefined ? nobody : { ...nobody, headers: { authorization } };
  }
}
