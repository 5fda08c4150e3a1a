import { median, quantile } from '../harness/figures.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { Disk, Lock, type Process, Processors, Signal, Simulation } from './simulation.ts';

/**
 * Nodes that write to one PostgreSQL, as a model: clients that wait for their answers, groups of writes, round trips,
 * processors, the lock of the turn, and syncs. What differs between the ways to order the log is which part of a group
 * runs under which lock. What the parts cost is measured (`costs.ts`).
 */

/** A cost of a group and of each of its writes, in milliseconds. */
export type Cost = { readonly group: number; readonly write: number };

/** What things cost, in milliseconds. */
export type Costs = {
  /** The processor of a node for one request: before its group, while the group runs, and after its commit. */
  readonly node: { readonly before: number; readonly within: number; readonly after: number };
  /** PostgreSQL for the credential of a request. */
  readonly credential: number;
  /** What a group reads ahead of its turn, and again behind the lock. */
  readonly reads: Cost;
  /** Entries, and the lock with them. */
  readonly entries: Cost;
  /** Words and other rows beside the log, which need no turn for themselves. */
  readonly words: Cost;
  /** Events, counts and deliveries. */
  readonly log: Cost;
  /** A write that changes something: its round trips within the turn, and what PostgreSQL does in all of them. */
  readonly change: { readonly trips: number; readonly work: number };
  /** What PostgreSQL does for a comment later, for the notifier and other readers. */
  readonly later: number;
  /** From the end of one turn to the beginning of the next. */
  readonly handOver: number;
  /** Syncs that were measured, from which each takes one. */
  readonly syncs: readonly number[];
  /** What the load and the proxies cost for one request, where they share the machine. */
  readonly load: number;
};

/**
 * A way to order the log.
 *
 * - `turn`: groups that only add hold the head from their first write to their commit, the others from their beginning.
 * - `apart`: as `turn`, where no group both adds and changes.
 * - `at once`: as `apart`, where the changes of a group share their round trips instead of making them in turn.
 * - `two connections`: as `at once`, where each node writes the next group while the last one is under way.
 * - `large groups`: every group takes the head first and collects what has come meanwhile.
 * - `early`: as `turn`, but the head is released before the sync.
 * - `end`: groups that only add hold the head from their last packet to their commit.
 * - `sequencer`: groups that only add hold nothing; one process numbers what was committed.
 * - `horizon`: groups that only add hold nothing; readers stop before the oldest group that runs.
 * - `lanes`: as `turn`, with a head for each lane; a node writes to each lane over a connection of its own.
 * - `lanes, one connection`: the same with one connection, whose groups hold all heads that they need.
 * - `lanes by node`: as `lanes`, where a balancer sends each app to one node.
 */
export const ways = [
  'turn',
  'apart',
  'at once',
  'two connections',
  'large groups',
  'early',
  'end',
  'sequencer',
  'horizon',
  'lanes',
  'lanes, one connection',
  'lanes by node',
] as const;
export type Way = (typeof ways)[number];

/** What is simulated. */
export type Setting = {
  readonly way: Way;
  readonly nodes: number;
  readonly lanes: number;
  readonly apps: number;
  /** Clients of each node, each of which sends its next request when it has the answer to the last. */
  readonly clients: number;
  /** How long a client waits before its next request on average, in milliseconds. */
  readonly pause: number;
  /** How long a packet takes each way, in milliseconds. */
  readonly delay: number;
  /** The part of the writes that change something of an app instead of adding to it, and of those that have no app. */
  readonly changing: number;
  readonly appless: number;
  /** The processors of PostgreSQL; with `shared`, of everything together. */
  readonly processors: number;
  readonly shared: boolean;
  readonly seconds: number;
  readonly seed: number;
};

/** What came out. Times are milliseconds; `seenMs` is from a commit until a reader may pass it. */
export type Outcome = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ofGroup: number;
  readonly seenP99Ms: number;
  /** The part of the time for which the processors of PostgreSQL work. */
  readonly busy: number;
};

type Kind = 'add' | 'change' | 'appless';
type Request = { readonly lane: number; readonly kind: Kind; readonly done: () => void };
/** The requests of a node that one connection writes. */
type Queue = { readonly requests: Request[]; readonly filled: Signal };
/** A node: its one thread, and its queues by connection. */
type Node = { readonly thread: Lock; readonly processors: Processors; readonly queues: Queue[] };
/** A group that has drawn its positions: readers may pass it when it and all before it have ended. */
type Running = { endedAt: number | undefined; count: number };

const groupMax = 256;
const processorsOfNode = 2;
const warmMs = 500;

/** Whether the changes of a group share their round trips. */
function areAtOnce(way: Way): boolean {
  return way === 'at once' || way === 'two connections';
}

/** Whether no group both adds and changes. */
function areApart(way: Way): boolean {
  return way === 'apart' || areAtOnce(way);
}

class Model {
  readonly #setting: Setting;
  readonly #costs: Costs;
  readonly #simulation = new Simulation();
  readonly #random: Random;
  readonly #database: Processors;
  readonly #disk: Disk;
  readonly #heads: readonly Lock[];
  /** Where it is not the head that excludes: shared by groups that add, held by those that change without a head. */
  readonly #gate = new Lock();
  readonly #nodes: Node[] = [];
  readonly #latencies: number[] = [];
  readonly #groups: number[] = [];
  readonly #seen: number[] = [];
  /** Groups in the order of their positions, from the first that may still be running. */
  readonly #running: Running[] = [];
  #unnumbered: Running[] = [];
  readonly #committed = new Signal();

  constructor(setting: Setting, costs: Costs) {
    this.#setting = setting;
    this.#costs = costs;
    this.#random = seededRandom(setting.seed);
    this.#database = new Processors(this.#simulation, setting.processors);
    this.#disk = new Disk(this.#simulation, () => this.#random.draw(costs.syncs));
    this.#heads = Array.from({ length: setting.lanes }, () => new Lock());
    const queues = setting.way === 'lanes' ? setting.lanes : 1;
    for (let index = 0; index < setting.nodes; index += 1)
      this.#nodes.push({
        thread: new Lock(),
        processors: setting.shared ? this.#database : new Processors(this.#simulation, processorsOfNode),
        queues: Array.from({ length: queues }, () => ({ requests: [], filled: new Signal() })),
      });
  }

  run(): Outcome {
    const { seconds, clients, way } = this.#setting;
    for (const [place, node] of this.#nodes.entries()) {
      for (let client = 0; client < clients; client += 1) this.#simulation.start(this.#client(node, place));
      for (let count = way === 'two connections' ? 2 : 1; count > 0; count -= 1)
        for (const queue of node.queues) this.#simulation.start(this.#connection(node, queue));
    }
    if (way === 'sequencer') this.#simulation.start(this.#sequencer());
    this.#simulation.runUntil(warmMs);
    const busyBefore = this.#database.busyMs;
    for (const figures of [this.#latencies, this.#groups, this.#seen]) figures.length = 0;
    this.#simulation.runUntil(warmMs + seconds * 1000);
    return {
      perSecond: this.#latencies.length / seconds,
      p50Ms: median(this.#latencies),
      p99Ms: quantile(this.#latencies, 0.99),
      ofGroup: this.#groups.reduce((sum, count) => sum + count, 0) / this.#groups.length,
      seenP99Ms: quantile(this.#seen, 0.99),
      busy: (this.#database.busyMs - busyBefore) / (seconds * 1000 * this.#setting.processors),
    };
  }

  /** Uses the one thread of a node. */
  *#think(node: Node, ms: number): Process {
    yield* node.thread.hold();
    yield* node.processors.use(ms);
    node.thread.release();
  }

  *#travel(): Process {
    yield* this.#simulation.pass(this.#setting.delay);
  }

  *#work({ group, write }: Cost, count: number): Process {
    yield* this.#database.use(group + write * count);
  }

  *#client(node: Node, place: number): Process {
    const { credential, load, node: ofNode } = this.#costs;
    const { pause } = this.#setting;
    for (;;) {
      if (pause > 0) yield* this.#simulation.pass((this.#random.integer(0, 2000) / 1000) * pause);
      if (this.#setting.shared) yield* this.#database.use(load);
      const startedAt = this.#simulation.now;
      yield* this.#think(node, ofNode.before);
      yield* this.#travel();
      yield* this.#database.use(credential);
      yield* this.#travel();
      const { lane, kind } = this.#draw(place);
      yield (done) => {
        const queue = node.queues[lane % node.queues.length];
        queue?.requests.push({ lane, kind, done });
        queue?.filled.wake();
      };
      yield* this.#think(node, ofNode.after);
      this.#latencies.push(this.#simulation.now - startedAt);
    }
  }

  #draw(place: number): { lane: number; kind: Kind } {
    const { way, apps, lanes, changing, appless } = this.#setting;
    const part = this.#random.integer(0, 999_999) / 1e6;
    const kind = part < appless ? 'appless' : part < appless + changing ? 'change' : 'add';
    const lane = way === 'lanes by node' ? place % lanes : this.#random.integer(0, apps - 1) % lanes;
    return { lane, kind };
  }

  /** Writes the groups of one connection, one after another. */
  *#connection(node: Node, queue: Queue): Process {
    const { way } = this.#setting;
    const isApart = areApart(way);
    let hasAdded = false;
    for (;;) {
      while (queue.requests.length === 0) yield* queue.filled.wait();
      if (isApart) {
        // Those whose kind was not in the last group come first.
        const isNext = ({ kind }: Request): boolean => (kind === 'add') !== hasAdded;
        queue.requests.sort((a, b) => Number(isNext(b)) - Number(isNext(a)));
      }
      const [first] = queue.requests;
      hasAdded = first?.kind === 'add';
      const end = isApart ? queue.requests.findIndex(({ kind }) => (kind === 'add') !== hasAdded) : -1;
      const count = Math.min(groupMax, end === -1 ? queue.requests.length : end);
      const isAdding = queue.requests.slice(0, count).every(({ kind }) => kind === 'add');
      const group = yield* isAdding && way !== 'large groups'
        ? this.#add(node, queue, count)
        : this.#change(node, queue, count);
      this.#groups.push(group.length);
      this.#simulation.start(this.#later(group.length));
      for (const { done } of group) done();
    }
  }

  *#later(count: number): Process {
    yield* this.#database.use(this.#costs.later * count);
  }

  /** The heads that some requests need, in an order in which nobody waits for each other. */
  #headsOf(requests: readonly Request[]): Lock[] {
    const hasAll = requests.some(({ kind }) => kind === 'appless');
    const lanes = hasAll ? this.#heads.keys() : new Set(requests.map(({ lane }) => lane));
    return [...lanes].sort((a, b) => a - b).flatMap((lane) => this.#heads[lane] ?? []);
  }

  *#holdAll(heads: readonly Lock[]): Process {
    for (const head of heads) yield* head.hold();
    yield* this.#simulation.pass(this.#costs.handOver);
  }

  /** A group that holds its turn from its beginning; where there is one head, what has come until then belongs to it. */
  *#change(node: Node, queue: Queue, count: number): Process<Request[]> {
    const { way } = this.#setting;
    // Where only the groups that add have no turn, the others exclude each other and them.
    const isOpen = way === 'horizon' || way === 'sequencer';
    const hasGate = isOpen || way === 'end';
    const heads = isOpen ? [] : this.#headsOf(queue.requests.slice(0, count));
    yield* this.#travel();
    if (hasGate) yield* this.#gate.hold();
    yield* this.#holdAll(heads);
    yield* this.#travel();
    const isFixed = this.#heads.length > 1 || areApart(way);
    const group = queue.requests.splice(0, isFixed ? count : groupMax);
    const running = this.#begin(group.length);
    yield* this.#runTurn(node, group);
    if (way === 'early') for (const head of heads) head.release();
    yield* this.#disk.sync();
    this.#end(running);
    if (way !== 'early') for (const head of heads) head.release();
    if (hasGate) this.#gate.release();
    yield* this.#travel();
    return group;
  }

  /** What a group does within its turn: what adds at once, then each change in turn, then the packet of the commit. */
  *#runTurn(node: Node, group: readonly Request[]): Process {
    const { reads, entries, words, log, change, node: ofNode } = this.#costs;
    const added = group.filter(({ kind }) => kind === 'add').length;
    const changed = group.length - added;
    const within = ofNode.within / 3;
    if (added > 0)
      for (const cost of [reads, entries]) {
        yield* this.#think(node, within * added);
        yield* this.#travel();
        yield* this.#work(cost, added);
        yield* this.#travel();
      }
    const atOnce = areAtOnce(this.#setting.way) ? Math.max(1, changed) : 1;
    for (let done = 0; done < changed; done += atOnce)
      for (let trip = 0; trip < change.trips; trip += 1) {
        yield* this.#think(node, (ofNode.within / change.trips) * atOnce);
        yield* this.#travel();
        yield* this.#database.use((change.work / (change.trips + 1)) * atOnce);
        yield* this.#travel();
      }
    yield* this.#think(node, within * added);
    yield* this.#travel();
    yield* this.#database.use((change.work / (change.trips + 1)) * changed);
    if (added > 0) {
      yield* this.#work(words, added);
      yield* this.#work(log, added);
    }
  }

  /** A group that only adds. */
  *#add(node: Node, queue: Queue, count: number): Process<Request[]> {
    const { way } = this.#setting;
    const { reads, entries, words, log, node: ofNode } = this.#costs;
    const group = queue.requests.splice(0, count);
    const heads = this.#headsOf(group);
    const within = (ofNode.within * group.length) / 3;
    // The first packet begins and reads.
    yield* this.#think(node, within);
    yield* this.#travel();
    yield* this.#work(reads, group.length);
    yield* this.#travel();
    yield* this.#think(node, within);
    // The second reads again and inserts the entries.
    yield* this.#travel();
    const isOpen = way === 'horizon' || way === 'sequencer' || way === 'end';
    if (isOpen) yield* this.#gate.share();
    else yield* this.#holdAll(heads);
    let running = way === 'end' ? undefined : this.#begin(group.length);
    yield* this.#work(reads, group.length);
    yield* this.#work(entries, group.length);
    yield* this.#travel();
    yield* this.#think(node, within);
    // The third has everything else and the commit.
    yield* this.#travel();
    yield* this.#work(words, group.length);
    if (way === 'end') {
      yield* this.#holdAll(heads);
      running = this.#begin(group.length);
    }
    yield* this.#work(log, group.length);
    if (way === 'early') for (const head of heads) head.release();
    yield* this.#disk.sync();
    this.#end(running);
    if (isOpen) this.#gate.release();
    if (way !== 'early' && way !== 'horizon' && way !== 'sequencer') for (const head of heads) head.release();
    yield* this.#travel();
    return group;
  }

  #begin(count: number): Running {
    const running = { endedAt: undefined, count };
    this.#running.push(running);
    return running;
  }

  /** Notes that a group has committed: readers may now pass it, and those after it that waited for it. */
  #end(running: Running | undefined): void {
    if (running === undefined) return;
    const { now } = this.#simulation;
    running.endedAt = now;
    if (this.#setting.way === 'sequencer') {
      this.#unnumbered.push(running);
      this.#committed.wake();
      return;
    }
    for (let [first] = this.#running; first?.endedAt !== undefined; [first] = this.#running) {
      this.#running.shift();
      this.#seen.push(now - first.endedAt);
    }
  }

  /** Numbers what was committed, over and over: a process of one node that writes the position of every event. */
  *#sequencer(): Process {
    const { log } = this.#costs;
    for (;;) {
      if (this.#unnumbered.length === 0) yield* this.#committed.wait();
      const numbered = this.#unnumbered;
      this.#unnumbered = [];
      this.#running.length = 0;
      yield* this.#travel();
      // An update of a row of the log costs about what its insert did.
      yield* this.#work(
        log,
        numbered.reduce((sum, { count }) => sum + count, 0),
      );
      yield* this.#disk.sync();
      for (const { endedAt } of numbered) this.#seen.push(this.#simulation.now - (endedAt ?? 0));
      yield* this.#travel();
    }
  }
}

/** Simulates one setting. */
export function simulate(setting: Setting, costs: Costs): Outcome {
  return new Model(setting, costs).run();
}
