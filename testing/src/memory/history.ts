import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Memory } from 'confab-server/src/db/memory.ts';
import type { Query, Parameters as Values } from 'confab-server/src/db/statement.ts';
import type { Running } from 'confab-server/src/main/main.ts';
import { send } from '../client.ts';
import { freshKey } from '../harness/confab-process.ts';
import { HeldClock } from '../harness/held-clock.ts';
import { startLocal } from '../harness/local-server.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { temporaryFolder } from '../harness/suite.ts';
import { NoMemory } from '../stores/no-memory.ts';

/**
 * Histories in which a remembered row could be wrong: two servers, one of them without memory, get the same drawn
 * changes and reads, and must respond alike to every read. Ids, times and names are the same on both.
 */

/** A memory that does not notice changes of one table or, with `others`, commits of other processes. */
function forgetfulOf(what: string): typeof Memory {
  return class extends Memory {
    protected override onChange(table: string, forget: () => void): void {
      if (table !== what) forget();
    }
    override hasChangedOutside(): boolean {
      return what !== 'others' && super.hasChangedOutside();
    }
  };
}

/** The possible plants: a table whose changes the memory does not notice, or other processes. */
export const plants = [
  'access_tokens',
  'api_keys',
  'users',
  'apps',
  'members',
  'stars',
  'subscriptions',
  'entries',
  'tallies',
  'others',
] as const;

/** The figures of a history. */
type History = {
  readonly steps: number;
  readonly reads: number;
  /** Successful reads, and rows that came from memory. */
  readonly succeeded: number;
  readonly remembered: number;
  /** The first read with different responses, or undefined. */
  readonly difference: string | undefined;
};

type Side = { readonly running: Running; readonly database: DatabaseSync };
/** A credential for each server. */
type Credential = readonly string[];
type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly as: Credential;
  readonly onBehalfOf?: string;
};

const userIds = [2, 3, 4];
const appIds = [1, 2, 3];
const accesses = ['none', 'read', 'write'];

/** Two servers, and the drawing of their requests. */
class World {
  readonly #sides: readonly Side[];
  readonly #random: Random;
  readonly #clock: HeldClock;
  readonly #key: Credential;
  #otherKey: { readonly id: number; readonly secrets: Credential } | undefined;
  readonly #tokens: Credential[] = [];
  /** The id of the newest comment; ids begin with 1. */
  #lastComment = appIds.length;
  reads = 0;
  succeeded = 0;

  constructor(options: { sides: readonly Side[]; random: Random; clock: HeldClock; key: string }) {
    this.#sides = options.sides;
    this.#random = options.random;
    this.#clock = options.clock;
    this.#key = options.sides.map(() => options.key);
  }

  async begin(): Promise<void> {
    for (const index of userIds.keys()) {
      await this.#asKey('PUT', `/api/users/u${index}`, { name: `User ${index}` });
      await this.#issueToken(userIds[index] ?? 0);
    }
    for (const index of appIds.keys()) {
      await this.#asKey('POST', '/api/apps', { uid: `a${index}`, type: 'comments', access: 'write' });
      await this.#asKey('POST', `/api/apps/${appIds[index]}/comments`, { text: 'hello' });
    }
    await this.#makeKey();
  }

  /** Makes one drawn change during reads, then compares some reads. */
  async step(readsPerStep: number): Promise<string | undefined> {
    if (this.#random.oneIn(2)) await this.#mend(this.#random.draw(userIds), this.#random.draw(appIds));
    const { name, change } = this.#drawChange();
    await Promise.all([change(), this.#send(this.#drawRead()), this.#send(this.#drawRead())]);
    const reads = Array.from({ length: readsPerStep }, () => this.#drawRead());
    const answers = await Promise.all(reads.map((read) => this.#send(read)));
    this.reads += reads.length;
    this.succeeded += answers.filter(([first]) => first?.startsWith('200') === true).length;
    const wrong = answers.findIndex(([first, second]) => first !== second);
    if (wrong !== -1)
      return `after ${name}, GET ${reads[wrong]?.path}: ${answers[wrong]?.map((one) => one.slice(0, 400)).join(' and without memory ')}`;
    return undefined;
  }

  #drawChange(): { name: string; change: () => Promise<unknown> } {
    const { user, app } = { user: this.#random.draw(userIds), app: this.#random.draw(appIds) };
    const comment = this.#drawComment();
    const asUser = (method: string, path: string, body?: object) => () =>
      this.#send({
        method,
        path,
        as: this.#random.draw(this.#tokens),
        ...(body === undefined ? {} : { body }),
      });
    const asKey = (method: string, path: string, body?: object) => () => this.#asKey(method, path, body);
    const changes: { readonly [name: string]: () => Promise<unknown> } = {
      'a token': () => this.#issueToken(user),
      'revoked tokens': asKey('DELETE', `/api/users/${user}/tokens`),
      'a change of a user': asKey('PATCH', `/api/users/${user}`, this.#drawUser(user)),
      'a user in the trash': asKey('POST', `/api/users/${user}/trash`),
      'a member': asKey('PUT', `/api/apps/${app}/members/${user}`, { access: this.#random.draw(accesses) }),
      'the access of a member': asKey('PUT', `/api/apps/${app}/members/${user}`, { access: 'read' }),
      'another access of a member': asKey('PUT', `/api/apps/${app}/members/${user}`, { access: 'write' }),
      'a removed member': asKey('DELETE', `/api/apps/${app}/members/${user}`),
      'a change of an app': asKey('PATCH', `/api/apps/${app}`, this.#drawApp(app)),
      'an app in the trash': asKey('POST', `/api/apps/${app}/trash`),
      'a star': asUser('POST', `/api/apps/${app}/stars`),
      'a star less': asUser('DELETE', `/api/apps/${app}/stars`),
      'a subscription': asUser('POST', `/api/apps/${app}/subscribe`),
      'a subscription less': asUser('POST', `/api/apps/${app}/unsubscribe`),
      'a comment': () => this.#comment(app),
      'another comment': () => this.#comment(app),
      'an answer': () => this.#comment(app, { reply_to: comment }),
      'another answer': () => this.#comment(app, { reply_to: comment }),
      'an edited comment': asKey('PATCH', `/api/comments/${comment}`, { text: this.#name() }),
      'another edited comment': asKey('PATCH', `/api/comments/${comment}`, { text: this.#name() }),
      'a comment in the trash': asKey('POST', `/api/comments/${comment}/trash`),
      'a comment out of the trash': asKey('POST', `/api/comments/${comment}/restore`),
      'a comment less': asKey('DELETE', `/api/comments/${comment}`),
      'a reaction': asUser('POST', `/api/comments/${comment}/reactions`, { content: '👍' }),
      'a key': () => this.#makeKey(),
      'a revoked key': async () => {
        for (const { running } of this.#sides) await running.keys.revoke(this.#otherKey?.id ?? 0);
      },
      'time that passed': async () => this.#clock.move(this.#random.integer(1, 200_000)),
      'another process': async () => this.#writeOutside(user, app),
      'another process again': async () => this.#writeOutside(user, app),
    };
    const name = this.#random.draw(Object.keys(changes));
    return { name, change: changes[name] as () => Promise<unknown> };
  }

  /** Restores what most reads need of a user and an app, so that many of them succeed. */
  async #mend(user: number, app: number): Promise<void> {
    await this.#asKey('POST', `/api/users/${user}/restore`);
    await this.#asKey('PATCH', `/api/users/${user}`, { is_suspended: false });
    await this.#issueToken(user);
    await this.#asKey('POST', `/api/apps/${app}/restore`);
    await this.#asKey('PATCH', `/api/apps/${app}`, { access: 'write', directory: null });
  }

  #drawUser(user: number): object {
    return this.#random.draw<object>([
      { name: this.#name() },
      { is_suspended: this.#random.oneIn(2) },
      { directory: this.#random.draw(['acme', 'initech']) },
      { directory: null },
      { uid: `${this.#random.draw(['u', 'v'])}${user}` },
    ]);
  }

  #drawApp(app: number): object {
    return this.#random.draw<object>([
      { name: this.#name() },
      { access: this.#random.draw(accesses) },
      { directory: this.#random.draw(['acme', 'initech']) },
      { directory: null },
      { uid: `${this.#random.draw(['a', 'b'])}${app}` },
    ]);
  }

  #writeOutside(user: number, app: number): void {
    const sql = this.#random.draw([
      `delete from access_tokens where user_id = ${user}`,
      `update members set access = '${this.#random.draw(accesses)}' where app_id = ${app} and user_id = ${user}`,
      `update users set display_name = '${this.#name()}' where id = ${user}`,
      `update apps set name = '${this.#name()}', access = '${this.#random.draw(accesses)}' where id = ${app}`,
      `update entries set content = replace(content, 'name', 'other name') where parent_id = ${app}`,
      `update api_keys set revoked_at = 1 where id = ${this.#otherKey?.id ?? 0}`,
    ]);
    for (const { database } of this.#sides) database.exec(sql);
  }

  #drawRead(): Request {
    const user = this.#random.draw([...userIds, 'u2', 'v2', 'u3', 'v3']);
    const app = this.#random.draw([...appIds, 'a1', 'b1', 'a2', 'b2']);
    const token = this.#random.draw(this.#tokens);
    const key = this.#random.oneIn(3) ? (this.#otherKey?.secrets ?? this.#key) : this.#key;
    const get = (path: string, as: Credential, onBehalfOf?: string): Request => ({
      method: 'GET',
      path,
      as,
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    });
    return this.#random.draw([
      get('/api/user', token),
      get(`/api/apps/${app}`, token),
      get(`/api/apps/${app}`, token),
      get(`/api/apps/${app}/comments`, token),
      get(`/api/apps/${this.#random.draw(appIds)}/comments`, key),
      get(`/api/apps/${this.#random.draw(appIds)}/comments?order_by=id+desc`, key),
      get(`/api/apps/${this.#random.draw(appIds)}/comments?expand=created_by`, key),
      get(`/api/apps/${this.#random.draw(appIds)}/comments?thread=roots`, key),
      get(`/api/apps/${app}/comments?thread=roots&expand=created_by`, token),
      get(`/api/comments/${this.#drawComment()}`, token),
      get(`/api/apps/${app}`, key),
      get(`/api/users/${user}`, key),
      get(`/api/apps/${app}`, key, `${user}`),
    ]);
  }

  async #comment(app: number, fields: object = {}): Promise<void> {
    const body = { text: this.#name(), ...fields };
    const [answer] = await this.#asKey('POST', `/api/apps/${app}/comments`, body);
    if (answer?.startsWith('201') === true) this.#lastComment += 1;
  }

  #drawComment(): number {
    return this.#random.integer(1, this.#lastComment);
  }

  #name(): string {
    return `name ${this.#random.integer(1, 1_000_000)}`;
  }

  async #makeKey(): Promise<void> {
    const secrets = await Promise.all(this.#sides.map(({ running }) => running.keys.create('other')));
    const id = (await this.#sides[0]?.running.keys.list())?.at(-1)?.id ?? 0;
    this.#otherKey = { id, secrets };
  }

  async #issueToken(user: number): Promise<void> {
    const answers = await this.#asKey('POST', `/api/users/${user}/tokens`, {
      expires_in: this.#random.integer(60, 3600),
    });
    const secrets = answers.map((answer) => /"access_token":"(\w+)"/.exec(answer)?.[1]);
    if (secrets.some((secret) => secret === undefined)) return;
    this.#tokens.push(secrets as string[]);
    // Mostly valid tokens, and some of users who have other ones by now.
    if (this.#tokens.length > 6) this.#tokens.shift();
  }

  async #asKey(method: string, path: string, body?: object): Promise<string[]> {
    return await this.#send({ method, path, as: this.#key, ...(body === undefined ? {} : { body }) });
  }

  /** Sends a request to both and returns the responses: the body, or for a refusal its status and code. */
  async #send({ method, path, body, as, onBehalfOf }: Request): Promise<string[]> {
    return await Promise.all(
      this.#sides.map(async ({ running }, side) => {
        const { status, text } = await send(running.url + path, {
          method,
          headers: {
            authorization: `Bearer ${as[side]}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(onBehalfOf === undefined ? {} : { 'x-confab-user': onBehalfOf }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
        });
        if (status >= 500) throw new Error(`${method} ${path}: ${text}`);
        return status < 300 ? `${status} ${text}` : `${status} ${/"code":"(\w+)"/.exec(text)?.[1]}`;
      }),
    );
  }
}

/** The length of a history, and the plant in the memory of its first server. */
type Plan = {
  readonly seed: number;
  readonly steps: number;
  readonly readsPerStep: number;
  readonly plant?: string;
};

/** Runs a history to its end or to the first difference. */
export async function runHistory({ seed, steps, readsPerStep, plant }: Plan): Promise<History> {
  using folder = temporaryFolder('memory');
  const clock = new HeldClock(Date.now());
  const key = freshKey();
  let remembered = 0;
  class Counted extends (plant === undefined ? Memory : forgetfulOf(plant)) {
    override get<P extends Values, R>(query: Query<P, R>, parameters: P, read: () => R | undefined) {
      let isRead = false;
      const row = super.get(query, parameters, () => {
        isRead = true;
        return read();
      });
      if (!isRead) remembered += 1;
      return row;
    }
  }
  const sides: Side[] = [];
  try {
    for (const memory of [Counted, NoMemory]) {
      const own = join(folder.path, String(sides.length));
      const settings = { CONFAB_LOG_LEVEL: 'error', CONFAB_PUBLIC_URL: 'http://confab.test' };
      const parts = { clock, memory, isQuiet: true };
      const running = await startLocal({ folder: own, key, settings, parts });
      sides.push({ running, database: new DatabaseSync(join(own, 'confab.db'), { timeout: 5000 }) });
    }
    const world = new World({ sides, random: seededRandom(seed), clock, key });
    await world.begin();
    let done = 0;
    let difference: string | undefined;
    while (done < steps && difference === undefined) {
      done += 1;
      difference = await world.step(readsPerStep);
    }
    const { reads, succeeded } = world;
    return { steps: done, reads, succeeded, remembered, difference };
  } finally {
    for (const { running, database } of sides) {
      database.close();
      await running.close();
    }
  }
}
