import { setTimeout as pass } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../harness/random.ts';
import type { Cluster } from '../nodes/cluster.ts';
import { type Appended, isSameLane, type Order, type Position, type Seen, tables } from './orders.ts';

/** How much is done in a trial, in which writers pause, roll back and are killed, and the server crashes in the middle. */
export type Trial = {
  readonly writers: number;
  readonly seconds: number;
};

/** What came of it. */
export type Found = {
  readonly committed: number;
  readonly killed: number;
  readonly rolledBack: number;
  /** Committed and never seen by the reader, because the reader had passed the position. */
  readonly missed: number;
  readonly twice: number;
  /** Seen in another order than the app has changed in, or with a gap. */
  readonly outOfOrder: number;
  /** Acknowledged before another was sent, and behind it in the log. */
  readonly late: number;
  /** Milliseconds from the acknowledgement until the reader had it. */
  readonly seenMs: readonly number[];
};

type Acknowledged = { readonly sentAt: number; readonly at: number };

const apps = 40;
const pauseMsMax = 12;
const restMsMax = 15;

function compare(one: Position, other: Position): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place === -1 ? 0 : (one[place] ?? 0) - (other[place] ?? 0);
}

class Run {
  readonly #cluster: Cluster;
  readonly #order: Order;
  readonly #trial: Trial;
  readonly #random: Random;
  readonly #acknowledged = new Map<string, Acknowledged>();
  readonly #seen: Seen[] = [];
  readonly #seenAt = new Map<string, number>();
  #killed = 0;
  #rolledBack = 0;
  #endsAt = 0;
  #areWritersDone = false;

  constructor(cluster: Cluster, { order, trial, random }: { order: Order; trial: Trial; random: Random }) {
    this.#cluster = cluster;
    this.#order = order;
    this.#trial = trial;
    this.#random = random;
  }

  async run(): Promise<Found> {
    await this.#cluster.rows(tables);
    const { writers, seconds } = this.#trial;
    this.#endsAt = performance.now() + seconds * 1000;
    const reading = this.#read();
    const numbering = this.#number();
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => this.#write(writer)));
    await pass((seconds * 1000) / 2);
    await this.#cluster.crash();
    await writing;
    this.#areWritersDone = true;
    await numbering;
    await reading;
    return await this.#check();
  }

  async #connect(): Promise<pg.Client> {
    for (;;) {
      const client = new pg.Client(this.#cluster.url);
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch {
        // It starts again after a crash.
        await pass(20);
      }
    }
  }

  #draw(writer: number, number: number): Appended {
    const first = this.#random.integer(1, apps);
    const drawn = new Set([first]);
    for (let more = this.#random.integer(0, 2); more > 0; more -= 1) {
      const app = this.#random.integer(1, apps);
      if (this.#order.isOfOneLane !== true || isSameLane(app, first)) drawn.add(app);
    }
    return [...drawn].sort((a, b) => a - b).map((app) => ({ app, mark: `${writer}-${number}-${app}` }));
  }

  async #write(writer: number): Promise<void> {
    let client = await this.#connect();
    const pause = async (): Promise<void> => {
      if (!this.#random.oneIn(3)) return;
      await pass(this.#random.integer(0, pauseMsMax));
      if (!this.#random.oneIn(15)) return;
      this.#killed += 1;
      // Half of them die at their end, half at that of the server.
      if (this.#random.oneIn(2))
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      else await client.query('select pg_terminate_backend(pg_backend_pid())');
    };
    for (let number = 0; performance.now() < this.#endsAt; number += 1) {
      // There are moments in which nobody writes.
      await pass(this.#random.integer(0, restMsMax));
      const events = this.#draw(writer, number);
      const sentAt = performance.now();
      try {
        await client.query('begin');
        await this.#order.append(client, events, pause);
        if (this.#random.oneIn(20)) {
          this.#rolledBack += 1;
          await client.query('rollback');
          continue;
        }
        await client.query('commit');
        const at = performance.now();
        for (const { mark } of events) this.#acknowledged.set(mark, { sentAt, at });
      } catch {
        client.end().catch(() => undefined);
        client = await this.#connect();
      }
    }
    await client.end();
  }

  /** Follows the log until the writers are done and nothing new has come for a while. */
  async #read(): Promise<void> {
    let client = await this.#connect();
    let after: Position = [];
    const pause = async (): Promise<void> => {
      if (this.#random.oneIn(3)) await pass(this.#random.integer(0, pauseMsMax));
    };
    for (let idle = 0; idle < 20; ) {
      try {
        const rows = await this.#order.read(client, after, pause);
        const at = performance.now();
        for (const row of rows) {
          this.#seen.push(row);
          this.#seenAt.set(row.mark, at);
        }
        after = rows.at(-1)?.position ?? after;
        if (rows.length > 0) idle = 0;
        else {
          await pass(2);
          if (this.#areWritersDone) idle += 1;
        }
      } catch {
        client.end().catch(() => undefined);
        client = await this.#connect();
      }
    }
    await client.end();
  }

  async #number(): Promise<void> {
    const { number } = this.#order;
    if (number === undefined) return;
    let client = await this.#connect();
    for (let isLast = false; !isLast; ) {
      isLast = this.#areWritersDone;
      try {
        await number(client);
      } catch {
        client.end().catch(() => undefined);
        client = await this.#connect();
        isLast = false;
      }
    }
    await client.end();
  }

  async #check(): Promise<Found> {
    const rows = await this.#cluster.rows<{ mark: string }>('select mark from lanes_log');
    const marks = new Set(this.#seen.map(({ mark }) => mark));
    const numbers = new Map<number, number>();
    let outOfOrder = 0;
    for (const [index, { app, number, position }] of this.#seen.entries()) {
      const before = this.#seen[index - 1];
      if (
        number !== (numbers.get(app) ?? 0) + 1 ||
        (before !== undefined && compare(before.position, position) >= 0)
      )
        outOfOrder += 1;
      numbers.set(app, number);
    }
    const kept = new Set(rows.map(({ mark }) => mark));
    const lost = [...this.#acknowledged.keys()].filter((mark) => !kept.has(mark));
    if (lost.length > 0) throw new Error(`${lost.length} acknowledged events are not in the log`);
    return {
      committed: rows.length,
      killed: this.#killed,
      rolledBack: this.#rolledBack,
      missed: rows.filter(({ mark }) => !marks.has(mark)).length,
      twice: this.#seen.length - marks.size,
      outOfOrder,
      late: this.#countLate(),
      seenMs: [...this.#acknowledged].flatMap(([mark, { at }]) => {
        const seenAt = this.#seenAt.get(mark);
        return seenAt === undefined ? [] : [Math.max(0, seenAt - at)];
      }),
    };
  }

  #countLate(): number {
    let late = 0;
    let earliestAfter = Number.POSITIVE_INFINITY;
    for (const { mark } of this.#seen.toReversed()) {
      const known = this.#acknowledged.get(mark);
      if (known === undefined) continue;
      if (earliestAfter < known.sentAt) late += 1;
      earliestAfter = Math.min(earliestAfter, known.at);
    }
    return late;
  }
}

/** Tries an order on a cluster. Throws where an acknowledged event is not in the log. */
export async function tryOrder(
  cluster: Cluster,
  parts: { readonly order: Order; readonly trial: Trial; readonly random: Random },
): Promise<Found> {
  return await new Run(cluster, parts).run();
}
