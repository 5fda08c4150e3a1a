import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { seededRandom } from '../harness/random.ts';
import { Callers } from './callers.ts';
import { Comparison, type Finding } from './comparison.ts';
import { Identities } from './identities.ts';
import { tryImport } from './imports.ts';
import { Pool } from './pool.ts';
import { type Planned, Requests } from './requests.ts';
import type { Answer, Servers } from './servers.ts';
import { Texts } from './texts.ts';
import { type Pair, sides, textFor, textOf, twinIn } from './twins.ts';

/** A difference between the responses of the two servers. */
export type Divergence = {
  /** The number of the request, from 1. */
  readonly number: number;
  readonly name: string;
  /** The request as the left server received it. */
  readonly sent: string;
  readonly findings: readonly Finding[];
};

/** The figures of a run. */
export type Result = {
  requests: number;
  /** Requests that changed the store. */
  mutating: number;
  readonly byOperation: Map<string, { sent: number; succeeded: number }>;
  readonly byStatus: Map<number, number>;
  readonly divergences: Divergence[];
  readonly identities: Identities;
};

/** How many drawn requests there are to one import, which takes as long as about 60 of them: each is read by a process. */
const requestsToImport = 150;

/** Sends requests to two servers and compares the responses. */
export class Run {
  readonly result: Result = {
    requests: 0,
    mutating: 0,
    byOperation: new Map(),
    byStatus: new Map(),
    divergences: [],
    identities: new Identities(),
  };
  readonly pool: Pool;
  readonly callers: Callers;
  readonly #servers: Servers;
  readonly #requests: Requests;
  readonly #random;

  /** One of `secondOneIn` drawn requests asks for the second form of the interface; none by default. */
  constructor(servers: Servers, seed: number, secondOneIn = 0) {
    this.#servers = servers;
    this.#random = seededRandom(seed);
    this.pool = new Pool(this.#random);
    this.callers = new Callers({ random: this.#random, pool: this.pool, key: servers.key });
    this.#requests = new Requests({
      random: this.#random,
      pool: this.pool,
      callers: this.callers,
      receiverUrl: servers.receiver.url,
      secondOneIn,
    });
  }

  /** Creates some users, directories and apps to start from. */
  async begin(): Promise<void> {
    for (const name of ['acme', 'Zürich'])
      await this.#must(operations.createDirectory, '/api/directories', { name });
    const people = ['ada', 'Bob', 'çelik', 'dora', 'eve', '日向', 'Ümit', 'zoe'];
    for (const [index, uid] of people.entries()) {
      const directory = ['acme', undefined, 'Zürich'][index % 3];
      const fields = { name: `${uid} ${index}`, ...(directory === undefined ? {} : { directory }) };
      const path = `/api/users/${encodeURIComponent(uid)}`;
      await this.#must(operations.upsertUser, path, fields);
      await this.#must(operations.issueToken, `${path}/tokens`, { expires_in: 2_592_000 });
    }
    for (const type of ['comments', 'files', 'posts', 'chat', 'chat_room'])
      for (const access of ['read', 'write'])
        await this.#must(operations.createApp, '/api/apps', { uid: `${type}-${access}`, type, access });
    const hook = { payload_url: `${this.#servers.receiver.url}/taken`, triggers: ['comments', 'apps'] };
    await this.#must(operations.registerWebhook, '/api/webhooks', hook);
  }

  async #must(operation: Operation, path: string, body: unknown): Promise<void> {
    const { id: name, method } = operation;
    const { key: caller } = this.callers;
    const headers = { ...caller.headers, 'content-type': 'application/json' };
    const request = { method, path, headers, body: () => JSON.stringify(body) };
    const { left } = await this.perform({ name, operation, caller, request, about: undefined });
    if (left.status >= 300) throw new Error(`${name}: ${left.bytes}`);
  }

  /** Sends this many drawn requests; stops earlier when too much differs. */
  async send(
    count: number,
    { divergencesMax = 10, onThousand }: { divergencesMax?: number; onThousand?: () => void } = {},
  ): Promise<void> {
    for (let sent = 1; sent <= count && this.result.divergences.length < divergencesMax; sent += 1) {
      if (this.#random.oneIn(requestsToImport))
        await tryImport(
          { caller: this.callers.key, random: this.#random, texts: new Texts(this.#random, this.pool) },
          (planned) => this.perform(planned),
        );
      await this.perform(this.#requests.next());
      await this.#passTime();
      if (sent % 1000 === 0) onThousand?.();
    }
  }

  /** Often zero, so that items have the same time; seldom long, so that tokens expire. */
  async #passTime(): Promise<void> {
    const random = this.#random;
    if (random.oneIn(3)) return;
    await this.#servers.passTime(
      random.oneIn(500) ? random.integer(60_000, 120_000) : random.integer(1, 200),
    );
  }

  /** Sends one request to both and compares the responses. */
  async perform(planned: Planned): Promise<Pair<Answer>> {
    const { result } = this;
    const answers = await this.#servers.send(planned.request);
    result.requests += 1;
    const comparison = this.#compare(planned, answers);
    if (comparison.findings.length > 0) this.#note(planned, answers, comparison.findings);
    this.#count(planned, answers.left.status);
    this.#learn(planned, answers, comparison);
    if (planned.request.method !== 'GET') await this.#servers.settle();
    if (planned.name === 'issueToken' && answers.left.status === 200) await this.#learnToken(answers);
    if (/^(?:create|rotate)Key$/.test(planned.name) && answers.left.status === 201)
      this.callers.learnKey(twinIn(answers, 'key', String));
    if (/^[a-z]+Import$/.test(planned.name) && planned.name !== 'getImport' && answers.left.status < 300)
      await this.#followImport(answers);
    return answers;
  }

  /** Compares data that is not the response to one request. */
  hold({ id, method, path }: Operation, { left, right }: Pair<readonly unknown[]>): void {
    const comparison = new Comparison(this.result.identities);
    comparison.values(left, right, id, 'event');
    const { requests, divergences, byOperation } = this.result;
    this.result.requests += 1;
    byOperation.set(id, { sent: 1, succeeded: 1 });
    if (comparison.findings.length > 0)
      divergences.push({
        number: requests + 1,
        name: id,
        sent: `${method} ${path}`,
        findings: comparison.findings,
      });
  }

  #compare({ operation, request }: Planned, answers: Pair<Answer>): Comparison {
    const comparison = new Comparison(this.result.identities);
    const paths = { left: textFor(request.path, 'left'), right: textFor(request.path, 'right') };
    comparison.answers(operation, answers, paths);
    return comparison;
  }

  #note({ name, request, caller }: Planned, answers: Pair<Answer>, findings: readonly Finding[]): void {
    const body = request.body?.('left').toString().slice(0, 1000) ?? '';
    const statuses = sides.map((side) => answers[side].status).join(' and ');
    this.result.divergences.push({
      number: this.result.requests,
      name,
      sent: `${request.method} ${textFor(request.path, 'left')} ${body} as ${caller.uid || 'nobody'} → ${statuses}`,
      findings,
    });
  }

  #count({ name, request }: Planned, status: number): void {
    const { byOperation, byStatus } = this.result;
    const counts = byOperation.get(name) ?? { sent: 0, succeeded: 0 };
    byOperation.set(name, counts);
    counts.sent += 1;
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    if (status >= 300) return;
    counts.succeeded += 1;
    this.#requests.succeeded(name);
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) this.result.mutating += 1;
  }

  #learn({ operation, caller, about, request }: Planned, answers: Pair<Answer>, { shown }: Comparison): void {
    const { status } = answers.left;
    // What a retry is answered may be long past.
    if (answers.left.headers['idempotent-replayed'] !== undefined) return;
    // If the path names two objects, the other one may be the missing one.
    const isNamed =
      about !== undefined &&
      Object.keys(operation?.params ?? {}).length === 1 &&
      textFor(request.path, 'left').split(/[/?]/).includes(String(about.id.left));
    if (status === 401 && !caller.isKey) this.callers.refused(caller.uid);
    if (status === 404 && caller.isKey && about !== undefined && isNamed) this.pool.missed(about);
    const isMade = status === 201 || (operation?.id === 'issueToken' && status === 200);
    for (const [index, each] of shown.entries())
      this.pool.learn(each, caller.uid, { isMade: isMade && index === 0, within: about });
    if (
      status === 204 &&
      operation?.method === 'DELETE' &&
      about !== undefined &&
      /^delete/.test(operation.id)
    )
      this.pool.forget(about);
  }

  /** Compares what has become of an import that was created, run or taken back. */
  async #followImport(answers: Pair<Answer>): Promise<void> {
    const path = textOf`/api/imports/${twinIn(answers, 'id', Number)}`;
    const operation = operations.getImport;
    const { key: caller } = this.callers;
    const request = { method: 'GET', path, headers: caller.headers };
    await this.perform({ name: operation.id, operation, caller, request, about: undefined });
  }

  /** Records an issued token and its user. */
  async #learnToken(answers: Pair<Answer>): Promise<void> {
    const token = twinIn(answers, 'access_token', String);
    const { left } = await this.perform({
      name: operations.getCaller.id,
      operation: operations.getCaller,
      caller: this.callers.key,
      request: { method: 'GET', path: '/api/user', headers: { authorization: textOf`Bearer ${token}` } },
      about: undefined,
    });
    if (left.status === 200)
      this.callers.learn((JSON.parse(left.bytes.toString()) as { uid: string }).uid, token);
  }
}
