import { createHash } from 'node:crypto';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { findUser } from 'confab-server/src/access/user/user-access.ts';
import { exchange, makeCode } from 'confab-server/src/features/visitors/visitor-sessions.ts';
import type { Machine } from './machine.ts';
import type { SimulatedNode } from './node.ts';
import type { Receivers } from './receivers.ts';
import type { Trace } from './trace.ts';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long a node may not know of a ban whose news it missed, in milliseconds (docs/operations.md). */
const banNewsMs = 5 * seconds;
const verifier = 'a verifier that only one page knows';
const challenge = createHash('sha256').update(verifier).digest('base64url');

type Asked = { readonly body?: object; readonly params?: object; readonly idempotencyKey?: string };

/** The time of a node's clock while it did something: from and to, or undefined where it was set meanwhile. */
type During = { readonly from: number; readonly to: number } | undefined;

/** The parts of a run that clients use. */
type Parts = {
  readonly machine: Machine;
  readonly trace: Trace;
  readonly receivers: Receivers;
  readonly key: string;
  /** A node that answers at present. */
  readonly anyNode: () => SimulatedNode | undefined;
  readonly isEnding: () => boolean;
  /** The most by which the clocks of two nodes have differed. */
  readonly wrongMs: () => number;
};

/** How many days the token of a user is valid: longer than most histories, and so renewed in the others. */
const tokenDays = 30;

/** The clients of a run: they write, and check what has a time at which it begins or ends. */
export class Clients {
  readonly #parts: Parts;
  readonly #webhooks: number[] = [];
  #appId = 0;
  #named = 0;
  #bobToken = '';
  readonly counts = { requests: 0, accepted: 0, refused: 0, unanswered: 0 };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get webhooks(): readonly number[] {
    return this.#webhooks;
  }

  /** Makes what the clients work with. Call it while nothing goes wrong. */
  async prepare(): Promise<void> {
    const app = await this.#create('createApp', {
      body: { type: 'comments', uid: `app-${this.#names()}`, access: 'write' },
    });
    this.#appId = app.id;
    for (const name of ['ada', 'bob'])
      await this.#create('createUser', { body: { uid: name, name, email: `${name}@example.com` } });
    this.#bobToken = await this.#tokenOf('bob', tokenDays * 24 * 3600);
    const adaToken = await this.#tokenOf('ada', 3600);
    await this.#ask('subscribeApp', { params: { app: { id: this.#appId } } }, adaToken);
    for (const index of [0, 1, 2]) {
      const { id } = await this.#create('registerWebhook', {
        body: {
          payload_url: `https://receiver-${index}.example.com/`,
          triggers: ['comment_created'],
          ordered: index === 1,
        },
      });
      this.#webhooks.push(id);
    }
  }

  /** Starts what the clients do from then on. */
  start(): void {
    const { random } = this.#parts.machine;
    const pauses = [10 * minutes, hours, 4 * hours, 9 * hours];
    this.#repeat(pauses, () => this.#writeComments());
    this.#repeat([4 * hours, 11 * hours, 30 * hours], () =>
      random.draw([
        () => this.#tryToken(),
        () => this.#tryKey(),
        () => this.#tryCode(),
        () => this.#tryLock(),
        () => this.#tryBan(),
      ])(),
    );
    this.#renewToken(tokenDays - 10);
  }

  /** Replaces the token that Bob writes with after some days, and then each day, since a node may end instead of answering. */
  #renewToken(days: number): void {
    const { time } = this.#parts.machine;
    time.after(time.world, days * 24 * hours, () => {
      if (this.#parts.isEnding()) return;
      this.#then(this.#tokenOf('bob', tokenDays * 24 * 3600), (token) => {
        this.#bobToken = String(token);
      });
      this.#renewToken(1);
    });
  }

  /** A number that was not used before. */
  #names(): number {
    this.#named += 1;
    return this.#named;
  }

  #repeat(pausesMs: readonly number[], work: () => void): void {
    const { time, random } = this.#parts.machine;
    const round = (): void => {
      if (this.#parts.isEnding()) return;
      work();
      time.after(time.world, random.draw(pausesMs) + random.integer(0, minutes), round);
    };
    time.after(time.world, random.integer(1, 20) * seconds, round);
  }

  #writeComments(): void {
    const { machine, receivers } = this.#parts;
    const { random, time } = machine;
    for (let left = random.draw([1, 1, 2, 5, 12]); left > 0; left -= 1)
      time.after(time.world, random.integer(0, 3000), () => {
        const isByBob = random.oneIn(2);
        const text = random.oneIn(4) ? 'Hello @ada' : `Comment ${random.integer(1, 1000)}`;
        const asked = {
          params: { app: { id: this.#appId } },
          body: { text },
          ...(random.oneIn(3) ? { idempotencyKey: `key-${random.integer(1, 1e9)}` } : {}),
        };
        const answered = this.#ask('createAppComment', asked, isByBob ? this.#bobToken : this.#parts.key);
        this.#then(answered, (answer) => {
          const { id } = answer as { id: number };
          if (random.oneIn(5)) this.#then(this.#ask('trashComment', { params: { id } }), () => {});
        });
      });
    // Now and then a receiver refuses what comes next, whatever else it takes.
    const webhook = random.pick(this.#webhooks);
    if (webhook !== undefined && random.oneIn(25)) receivers.refuseNext(webhook);
  }

  /** An access token is accepted until it expires and not after. */
  #tryToken(): void {
    const { random } = this.#parts.machine;
    const lifeSeconds = random.draw([60, 3600, 20 * 3600]);
    this.#timed(
      (node) =>
        node.call(
          'issueToken',
          this.#withKey({ params: { user: { uid: 'ada' } }, body: { expires_in: lifeSeconds } }),
        ),
      (answer, during) => {
        const token = (JSON.parse(String(answer)) as { access_token: string }).access_token;
        this.#expire('a token', { during, lifeMs: lifeSeconds * seconds }, async (node) => {
          await node.authenticate(token);
        });
      },
    );
  }

  /** An API key is accepted until its end and not after. */
  #tryKey(): void {
    const { random } = this.#parts.machine;
    const lifeMs = random.draw([5 * minutes, 7 * hours, 40 * hours]);
    const node = this.#parts.anyNode();
    if (node === undefined) return;
    const end = node.clock.now() + lifeMs;
    const body = { name: 'for a while', scopes: ['all'], expires_at: timestamp(end) };
    this.#timed(
      (other) => other.call('createKey', this.#withKey({ body })),
      (answer) => {
        const { key } = JSON.parse(String(answer)) as { key: string };
        const during = { from: end, to: end };
        this.#expire('a key', { during, lifeMs: 0, hintMs: lifeMs }, async (other) => {
          await other.authenticate(key);
        });
      },
    );
  }

  /** The code of a window signs in for a minute. */
  #tryCode(): void {
    this.#timed(
      async (node) => {
        const user = await findUser(node.db.read, { uid: 'ada' });
        if (user === undefined) throw new Error('there is no ada');
        const at = node.clock.now();
        return await node.db.write((tx) => makeCode({ tx, at }, user, challenge));
      },
      (code, during) => {
        let isUsed = false;
        this.#expire('a code', { during, lifeMs: minutes, isOnce: true }, async (node) => {
          if (isUsed) return;
          isUsed = true;
          const at = node.clock.now();
          const found = await exchange({ db: node.db, at }, { code: String(code), verifier });
          if (found === undefined) throw new Problem('sign_in_ended', 'This does not sign in any more.');
        });
      },
    );
  }

  /** An app that is locked by its age takes comments until it has that age. */
  #tryLock(): void {
    const days = 1;
    this.#timed(
      (node) =>
        node.call(
          'createApp',
          this.#withKey({ body: { type: 'comments', uid: `app-${this.#names()}`, access: 'write' } }),
        ),
      (answer, during) => {
        const app = { id: (JSON.parse(String(answer)) as { id: number }).id };
        const locking = this.#ask('lockApp', { params: { app }, body: { after_days: days } });
        this.#then(locking, () =>
          this.#expire('an app before its lock', { during, lifeMs: days * 24 * hours }, async (node) => {
            await node.call('createAppComment', {
              credential: this.#bobToken,
              params: { app },
              body: { text: 'Still open?' },
            });
          }),
        );
      },
    );
  }

  /** A banned address is refused until the ban ends, by nodes that have had the time to hear of it. */
  #tryBan(): void {
    const { random, time } = this.#parts.machine;
    const lifeSeconds = random.draw([600, 20 * 3600]);
    const address = `192.0.${random.integer(2, 250)}.${random.integer(1, 250)}`;
    this.#timed(
      (node) => node.call('createBan', this.#withKey({ body: { address, seconds: lifeSeconds } })),
      (_answer, during) => {
        time.after(time.world, 3 * banNewsMs, () =>
          this.#expire('a ban', { during, lifeMs: lifeSeconds * seconds }, async (node) => {
            const isFree = await node.assertFree(address).then(
              () => true,
              () => false,
            );
            if (isFree) throw new Problem('address_banned', 'It is over.');
          }),
        );
      },
    );
  }

  /** Calls `use` some times until something ends and after: it must succeed before, and throw a problem after. */
  #expire(
    what: string,
    {
      during,
      lifeMs,
      hintMs = lifeMs,
      isOnce = false,
    }: { during: During; lifeMs: number; hintMs?: number; isOnce?: boolean },
    use: (node: SimulatedNode) => Promise<void>,
  ): void {
    if (during === undefined) return;
    const { machine, trace } = this.#parts;
    const { random, time } = machine;
    const [first, last] = [during.from + lifeMs, during.to + lifeMs];
    const edges = [-hintMs / 2, -50, -1, 0, 1, 50, hintMs / 2, hintMs * 20];
    for (const offset of isOnce ? [random.draw(edges)] : edges)
      time.after(time.world, Math.max(last + offset - time.trueTime(), 0), () => {
        this.#timed(
          async (node) => {
            return await use(node).then(
              () => undefined,
              (error: unknown) => {
                if (error instanceof Problem) return error.code;
                throw error;
              },
            );
          },
          (refusal, at) => {
            if (at === undefined) return;
            const isGood = refusal === undefined;
            this.counts[isGood ? 'accepted' : 'refused'] += 1;
            if (isGood && at.from >= last)
              trace.fail('expiry', `${what} still counts ${at.from - last} ms after its end`);
            // A node whose clock was ahead may have removed it.
            if (!isGood && at.to < first - this.#parts.wrongMs())
              trace.fail('expiry', `${what} does not count ${first - at.to} ms before its end: ${refusal}`);
          },
        );
      });
  }

  #withKey(asked: Asked) {
    return { credential: this.#parts.key, ...asked };
  }

  /** Has any node do something, and notes what its clock showed meanwhile. */
  #timed(
    work: (node: SimulatedNode) => Promise<unknown>,
    then: (answer: unknown, during: During) => void,
  ): void {
    const { machine, anyNode } = this.#parts;
    const node = anyNode();
    if (node === undefined) return;
    this.counts.requests += 1;
    const [from, begunAt] = [node.clock.now(), machine.time.now()];
    const answered = machine.time.as(node.actor, () => work(node));
    this.#then(answered, (answer) => {
      const wasSet = node.clock.setAt >= begunAt;
      then(answer, wasSet ? undefined : { from, to: node.clock.now() });
    });
  }

  #then(answered: Promise<unknown>, then: (answer: unknown) => void): void {
    const { trace, machine } = this.#parts;
    answered.then(
      // What follows is the client's, not the node's.
      (answer) => machine.time.after(machine.time.world, 0, () => then(answer)),
      (error: unknown) => {
        this.counts.unanswered += 1;
        if (!(error instanceof Problem))
          trace.fail('answers', `a request failed: ${String((error as Error).stack)}`);
      },
    );
  }

  /** Asks any node; never answered when the node ends. */
  async #ask(operation: string, asked: Asked, credential = this.#parts.key): Promise<unknown> {
    const node = this.#parts.anyNode();
    if (node === undefined) throw new Problem('storage_unavailable', 'No node runs.');
    this.counts.requests += 1;
    const answer = await this.#parts.machine.time.as(node.actor, () =>
      node.call(operation, { credential, ...asked }),
    );
    if (answer === undefined) return undefined;
    const text = typeof answer === 'object' && answer !== null && 'body' in answer ? answer.body : answer;
    return JSON.parse(String(text));
  }

  async #create(operation: string, asked: Asked): Promise<{ readonly id: number }> {
    return (await this.#ask(operation, asked)) as { id: number };
  }

  async #tokenOf(uid: string, expiresIn: number): Promise<string> {
    const answer = await this.#ask('issueToken', {
      params: { user: { uid } },
      body: { expires_in: expiresIn },
    });
    return (answer as { access_token: string }).access_token;
  }
}
