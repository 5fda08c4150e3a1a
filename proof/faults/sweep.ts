import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Parts } from 'confab-server/src/main/main.ts';
import type { DiskError, FaultPlan } from 'confab-testing/disk/shim.ts';
import { Client } from 'confab-testing/harness/client.ts';
import { freshKey } from 'confab-testing/harness/confab-process.ts';
import { type LocalServer, startLocal } from 'confab-testing/harness/local-server.ts';
import { storeRules } from '../crash/store-rules.ts';

/** A request whose calls fail, and how to prepare a store for it. */
export type Scenario = {
  /** Creates what the request needs; runs once, without faults. */
  prepare(client: Client): Promise<void>;
  request(url: string, key: string): Promise<Response>;
};

/** A fault of one call, or of every call from one on. */
export type Fault = { readonly error: DiskError; readonly isLasting: boolean };

/** One fault and what came of it. */
export type Point = {
  readonly what: string;
  /** The status and the code of the response; `untouched` when the scenario has fewer calls. */
  readonly outcome: string;
  readonly wrong: readonly string[];
};

/** What a scenario changes: the rows that clients can see, without what is drawn at random. */
const stateSql = [
  'select action, entity_type, entity_id from events order by id',
  `select id, kind, json_extract(content, '$.text') as text, attachment_count, trashed_at is null as is_live
     from entries order by id`,
  'select id, name, size from blobs order by id',
  'select id, name, version, trashed_at is null as is_live from files order by id',
  'select id, payload_url from webhooks order by id',
];

const key = freshKey();
/** No scenario has as many calls. */
const callsMax = 10_000;

/** Runs scenarios on copies of a prepared store, with a fault in each. */
export class Sweep {
  readonly #root: string;
  readonly #plan: FaultPlan;

  constructor(root: string, plan: FaultPlan) {
    this.#root = root;
    this.#plan = plan;
  }

  /** One point for each call, or for one in `every` calls, until there are no more. */
  async everyCall(every: number, pointAt: (first: number) => Promise<Point>): Promise<Point[]> {
    const points: Point[] = [];
    for (let first = 1; first < callsMax; first += every) {
      const point = await pointAt(first);
      if (point.outcome === 'untouched') return points;
      points.push(point);
    }
    throw new Error(`a scenario has more than ${callsMax} calls`);
  }

  /** Starts a server whose call number `first` fails. */
  async start(scenario: Scenario, first: number, fault: Fault): Promise<Point> {
    const { template, before } = await this.#prepared(scenario);
    const folder = join(this.#root, 'run');
    cpSync(template, folder, { recursive: true });
    this.#arm(first, fault);
    const started = await start(folder).catch((error: Error) => error);
    const failed = this.#plan.disarm();
    const left = join(this.#root, 'left');
    cpSync(folder, left, { recursive: true });
    if (!(started instanceof Error)) await started.close();
    rmSync(folder, { recursive: true });
    const wrong = await wrongIn(left, [before]);
    rmSync(left, { recursive: true });
    const outcome = started instanceof Error ? 'refused' : 'started';
    return {
      what: textOf(first, fault, failed),
      outcome: failed.length === 0 ? 'untouched' : outcome,
      wrong,
    };
  }

  #arm(first: number, { error, isLasting }: Fault): void {
    this.#plan.arm({ first, last: isLasting ? Number.MAX_SAFE_INTEGER : first, error });
  }

  /** Runs a scenario whose call number `first` fails. */
  async once(
    scenario: Scenario,
    { first, fault, parts = {} }: { first: number; fault: Fault; parts?: Parts },
  ): Promise<Point> {
    const { template, before, after } = await this.#prepared(scenario);
    const folder = join(this.#root, 'run');
    cpSync(template, folder, { recursive: true });
    const server = await start(folder, parts);
    this.#arm(first, fault);
    const answer = await scenario.request(server.url, key).catch((failure: unknown) => failure);
    const wrong: string[] = [];
    const reads = await readsOf(server);
    const failed = this.#plan.disarm();
    const { outcome, isGood } = await outcomeOf(answer, wrong);
    if (reads !== 200) wrong.push(`reads answer ${reads}`);
    // What a kill would leave: the server that goes on holds nothing that another could need.
    const left = join(this.#root, 'left');
    cpSync(folder, left, { recursive: true });
    await server.close();
    rmSync(folder, { recursive: true });
    wrong.push(...(await wrongIn(left, isGood ? [after] : [before, after])));
    rmSync(left, { recursive: true });
    return {
      what: textOf(first, fault, failed),
      outcome: failed.length === 0 ? 'untouched' : outcome,
      wrong,
    };
  }

  readonly #stores = new Map<Scenario, { template: string; before: string; after: string }>();

  /** A store on which a scenario can run, and its state before and after the scenario. */
  async #prepared(scenario: Scenario) {
    const known = this.#stores.get(scenario);
    if (known !== undefined) return known;
    const template = join(this.#root, `template-${this.#stores.size}`);
    const server = await start(template);
    const client = new Client(server);
    await scenario.prepare(client);
    await client.close();
    await server.close();
    const folder = join(this.#root, 'sound');
    cpSync(template, folder, { recursive: true });
    const sound = await start(folder);
    const answer = await scenario.request(sound.url, key);
    if (!answer.ok) throw new Error(`a scenario without faults answers ${answer.status}`);
    await sound.close();
    const store = { template, before: stateOf(template), after: stateOf(folder) };
    rmSync(folder, { recursive: true });
    this.#stores.set(scenario, store);
    return store;
  }
}

/** Names a fault and the first call that failed by it. */
export function textOf(first: number, { error, isLasting }: Fault, failed: readonly string[]): string {
  return `${error} at call ${first}${isLasting ? ' and after' : ''} (${failed[0]})`;
}

async function start(folder: string, parts: Parts = {}): Promise<LocalServer> {
  return await startLocal({ folder, key, parts: { isQuiet: true, ...parts } });
}

async function readsOf({ url }: LocalServer): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${url}/api/apps/faults`, { headers })).status;
}

/** A response must be a success, or a 5xx with a code for the client. */
async function outcomeOf(answer: unknown, wrong: string[]): Promise<{ outcome: string; isGood: boolean }> {
  if (!(answer instanceof Response)) {
    wrong.push(`no response: ${answer}`);
    return { outcome: 'no response', isGood: false };
  }
  const { status, ok } = answer;
  const text = await answer.text();
  if (ok) return { outcome: `${status}`, isGood: true };
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  if (status !== 503 || code === undefined) wrong.push(`the response is ${status}: ${text}`);
  return { outcome: `${status} ${code}`, isGood: false };
}

/** Starts a server on what is left, without faults, and compares the store with the states that it may have. */
async function wrongIn(folder: string, allowed: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  try {
    const server = await start(folder);
    const status = await readsOf(server);
    if (status !== 200) wrong.push(`after a restart reads answer ${status}`);
    await server.close();
  } catch (error) {
    return [`the server does not start again: ${error}`];
  }
  const state = stateOf(folder);
  if (!allowed.includes(state)) wrong.push(`the store is ${state}, not ${allowed.join(' or ')}`);
  using database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
  for (const { rule, sql } of storeRules)
    if (database.prepare(sql).get() !== undefined) wrong.push(`not so: ${rule}`);
  return wrong;
}

function stateOf(folder: string): string {
  using database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
  return JSON.stringify(stateSql.map((sql) => database.prepare(sql).all()));
}
