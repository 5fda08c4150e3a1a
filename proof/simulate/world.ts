// A module that is loaded within a history takes real time, in which the simulated one goes on.
import 'nodemailer/lib/mail-composer';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Config, configFrom } from 'confab-server/src/config/config.ts';
import { createKeys } from 'confab-server/src/features/credentials/keys.ts';
import type { Log } from 'confab-server/src/kernel/log.ts';
import { createSecretBox } from 'confab-server/src/kernel/secret-box.ts';
import { openStore } from 'confab-server/src/setup/store.ts';
import { freshKey } from 'confab-testing/harness/confab-process.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { temporaryFolder } from 'confab-testing/harness/suite.ts';
import { Clients } from './clients.ts';
import { DeliveryCheck } from './delivery-check.ts';
import { createCommits, type Machine } from './machine.ts';
import { MailCheck } from './mail-check.ts';
import { NodeClock, type SimulatedNode, startNode } from './node.ts';
import { type Mood, Receivers } from './receivers.ts';
import { RetentionCheck } from './retention-check.ts';
import { type Actor, SimulatedTime } from './simulated-time.ts';
import { StoreView } from './store-view.ts';
import { type BrokenPromise, Trace } from './trace.ts';

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** What goes wrong in a run besides the receivers. */
export type Climate = (typeof climates)[number];

const climates = ['calm', 'crashes', 'stalls', 'clocks', 'wild', 'storm'] as const;
const moods: readonly Mood[] = ['failing', 'unreachable', 'late', 'cutting', 'gone', 'throttling', 'gateway'];

/** A run: everything in it follows from these. */
export type RunOptions = { readonly seed: number; readonly hours: number };

/** What a run did, and the first promise that it found broken. */
export type RunResult = {
  readonly seed: number;
  readonly climate: Climate;
  readonly nodes: number;
  readonly hours: number;
  readonly steps: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: BrokenPromise | undefined;
};

/** 2026-01-01, when every run starts. */
const startsAt = Date.UTC(2026, 0, 1);
/** How often the state of a run is looked at while something is going on. */
const sliceMs = seconds;
/** The longest skip of the time while nothing is due. */
const skipMsMax = 50 * minutes;
/** How late work may be that nothing holds up: polls, retries of a loop, a lease of a node that ended. */
const lateMsMax = 3 * minutes;

const log: Log = {
  debug() {},
  info() {},
  warn() {},
  // Loops fail in most runs: the mail server cannot be reached.
  error() {},
};

const settings = {
  CONFAB_LOG_LEVEL: 'silent',
  CONFAB_TRASH_DAYS: '3',
  CONFAB_EVENT_DAYS: '10',
  CONFAB_WEBHOOK_BODY_DAYS: '2',
  CONFAB_WEBHOOK_DELIVERY_DAYS: '7',
  CONFAB_SMTP_URL: 'smtp://mail.test',
  CONFAB_MAIL_FROM: 'Confab <confab@example.com>',
};

/** Runs one history. */
export async function simulate({ seed, hours: length }: RunOptions): Promise<RunResult> {
  using folder = temporaryFolder('simulate');
  const random = seededRandom(seed);
  const time = new SimulatedTime(random, startsAt);
  using _installed = time.install();
  const world = await World.open({ seed, folder: folder.path, time });
  using _unsynced = withoutSyncs();
  try {
    await world.run(length * hours);
    return world.result();
  } finally {
    await world.close();
  }
}

/** The nodes of a run: each has a clock, and a process that may end and start again. */
type Slot = {
  readonly name: string;
  readonly clock: NodeClock;
  node: SimulatedNode | undefined;
  /** Since when nothing has disturbed it, in the time of the run; infinite while something does. */
  wellSince: number;
};

class World {
  readonly #seed: number;
  readonly #time: SimulatedTime;
  readonly #machine: Machine;
  readonly #view: StoreView;
  readonly #config: Config;
  readonly #trace: Trace;
  readonly #climate: Climate;
  readonly #key = freshKey();
  readonly #slots: readonly Slot[];
  readonly #cuts = new Map<Actor, { left: number; readonly then: () => void }>();
  readonly #deliveries: DeliveryCheck;
  readonly #receivers: Receivers;
  readonly #mail: MailCheck;
  readonly #retention: RetentionCheck;
  readonly #clients: Clients;
  /** The most by which a clock has been wrong so far. */
  #wrongMs = 0;
  #starts = 0;
  #isEnding = false;
  #sampledAt = 0;
  /** Since when a lane has been due and free. */
  readonly #dueSince = new Map<number, number>();
  /** Since when the notifier has not been at the newest event. */
  #behindSince: number | undefined;
  readonly #faults = { crashes: 0, stalls: 0, jumps: 0 };

  private constructor({
    seed,
    machine,
    view,
    config,
    climate,
    nodes,
  }: {
    readonly seed: number;
    readonly machine: Omit<Machine, 'cutsAt'>;
    readonly view: StoreView;
    readonly config: Config;
    readonly climate: Climate;
    readonly nodes: number;
  }) {
    const { time } = machine;
    this.#seed = seed;
    this.#time = time;
    this.#view = view;
    this.#config = config;
    this.#climate = climate;
    this.#machine = { ...machine, cutsAt: (actor) => this.#cutsAt(actor) };
    this.#trace = new Trace(time);
    const parts = { time, trace: this.#trace, view };
    this.#deliveries = new DeliveryCheck(parts);
    this.#receivers = new Receivers(this.#machine, this.#deliveries);
    this.#mail = new MailCheck(this.#machine, parts);
    this.#retention = new RetentionCheck(parts);
    this.#slots = Array.from({ length: nodes }, (_, index) => ({
      name: `node ${index + 1}`,
      clock: new NodeClock(() => time.trueTime()),
      node: undefined,
      wellSince: Number.POSITIVE_INFINITY,
    }));
    this.#clients = new Clients({
      machine: this.#machine,
      trace: this.#trace,
      receivers: this.#receivers,
      key: this.#key,
      anyNode: () => this.#machine.random.pick(this.#running().flatMap(({ node }) => node ?? [])),
      isEnding: () => this.#isEnding,
      wrongMs: () => 2 * this.#wrongMs,
    });
  }

  static async open({
    seed,
    folder,
    time,
  }: {
    readonly seed: number;
    readonly folder: string;
    readonly time: SimulatedTime;
  }): Promise<World> {
    const random = seededRandom(seed ^ 0x5eed);
    const config = configFrom({ ...settings, CONFAB_DATA_DIR: folder });
    const clock = { now: () => Math.floor(time.trueTime()) };
    const storeActor = time.actor('the store');
    // Nobody follows the write-ahead log, and no thread copies it back.
    const follower = { empty: async () => true };
    const store = await time.as(storeActor, () => openStore(config, { log, clock, follower }));
    const climate = random.draw(climates);
    const nodes = random.draw([1, 2, 2, 3]);
    const isShared = nodes > 1;
    const commits = createCommits({ time, random }, { store, isShared });
    const view = new StoreView(join(folder, 'confab.db'));
    const machine = { time, random, store, storeActor, commits, isShared };
    return new World({ seed, machine, view, config, climate, nodes });
  }

  /** Runs so many milliseconds, and then until everything has arrived. */
  async run(lengthMs: number): Promise<void> {
    const { storeActor, store } = this.#machine;
    const clock = { now: () => Math.floor(this.#time.trueTime()) };
    const keys = this.#time.as(storeActor, () => createKeys({ db: store, clock }));
    await this.#settle(this.#time.as(storeActor, () => keys.accept(this.#key)));
    for (const slot of this.#slots) await this.#settle(this.#start(slot));
    await this.#settle(this.#clients.prepare());
    this.#clients.start();
    for (const id of this.#clients.webhooks) this.#changeMoods(id);
    this.#changeMailServer();
    this.#causeFaults();
    await this.#advance(lengthMs);
    await this.#finish();
  }

  /** Lets everything be well for as long as the longest wait takes, and checks what has arrived. */
  async #finish(): Promise<void> {
    this.#isEnding = true;
    for (const id of this.#clients.webhooks) this.#receivers.setMood(id, 'well');
    this.#receivers.takeEverything();
    this.#mail.setWell(true);
    for (const slot of this.#slots) slot.clock.set(0, this.#time.now());
    // A probe a day, after a receiver that asked for a day.
    await this.#advance(this.#time.now() + 60 * hours);
    if (this.#trace.broken === undefined) this.#deliveries.finish(this.#clients.webhooks);
  }

  /** Counts a step of a node; it may be the one at which the node is to end. */
  #cutsAt(actor: Actor): boolean {
    if (actor.isDead) return true;
    const cut = this.#cuts.get(actor);
    if (cut === undefined) return false;
    cut.left -= 1;
    if (cut.left > 0) return false;
    this.#cuts.delete(actor);
    cut.then();
    return true;
  }

  /** Starts the node of a slot; resolves when it runs. */
  async #start(slot: Slot): Promise<void> {
    this.#starts += 1;
    const { random, time } = this.#machine;
    const actor = time.actor(`${slot.name}.${this.#starts}`);
    this.#trace.note(`${actor.name} starts`);
    slot.wellSince = time.now();
    slot.node = await startNode(this.#machine, actor, {
      config: this.#config,
      clock: slot.clock,
      log,
      box: createSecretBox([]),
      random: () => random.integer(0, 2 ** 31) / (2 ** 31 + 1),
      watches: [this.#deliveries.watchOf(actor, slot.clock)],
      egress: (of) => this.#receivers.egress(of),
      connectToMail: (of) => this.#mail.connect(of, () => 2 * this.#wrongMs),
    });
  }

  /** The slots whose nodes answer at present. */
  #running(): readonly Slot[] {
    return this.#slots.filter(
      ({ node }) => node !== undefined && !node.actor.isDead && node.actor.stalledUntil <= this.#time.now(),
    );
  }

  /** Runs some work to its end, while the time goes on. Throws when it does not end. */
  async #settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    ended.catch(() => {});
    await this.#time.runUntil(this.#time.now() + 10 * minutes, () => isDone);
    if (!isDone) throw new Error('something that begins a run does not end');
    return await ended;
  }

  /** Does `work` again and again, after pauses that are drawn. */
  #repeat(pausesMs: readonly number[], work: () => void): void {
    const { time, random } = this.#machine;
    const round = (): void => {
      if (this.#isEnding) return;
      work();
      time.after(time.world, random.draw(pausesMs) + random.integer(0, minutes), round);
    };
    time.after(time.world, random.integer(1, 60) * minutes, round);
  }

  #changeMoods(webhookId: number): void {
    const { random } = this.#machine;
    this.#repeat([minutes, 20 * minutes, 3 * hours, 12 * hours, 40 * hours], () => {
      const mood = random.oneIn(2) ? 'well' : random.draw(moods);
      this.#trace.note(`receiver ${webhookId} is ${mood}`);
      this.#receivers.setMood(webhookId, mood);
    });
  }

  #changeMailServer(): void {
    const { random } = this.#machine;
    this.#repeat([hours, 30 * hours], () => this.#mail.setWell(!random.oneIn(4)));
  }

  #causeFaults(): void {
    const { random } = this.#machine;
    const has = (...some: readonly Climate[]): boolean => some.includes(this.#climate);
    const often = [3 * minutes, hours, 6 * hours];
    if (has('crashes', 'storm')) this.#repeat(often, () => this.#crash());
    if (has('stalls', 'storm')) this.#repeat(often, () => this.#stall());
    // Clocks that agree within the five seconds of docs/scaling.md.
    if (has('clocks'))
      this.#repeat(often, () => this.#setClock(random.pick(this.#slots), random.integer(-2500, 2500)));
    if (has('wild', 'storm'))
      this.#repeat([hours, 6 * hours, 20 * hours], () => {
        const ms = random.draw([-26 * hours, -hours, -5 * minutes, 0, 0, 5 * minutes, hours, 26 * hours]);
        const some = random.oneIn(3) ? this.#slots : [random.draw(this.#slots)];
        for (const slot of some) this.#setClock(slot, ms + random.integer(-5000, 5000));
      });
  }

  /** Ends a node at one of its next steps towards the store or the network, and starts it again later. */
  #crash(): void {
    const { random, time } = this.#machine;
    const slot = random.pick(this.#running());
    const actor = slot?.node?.actor;
    if (slot === undefined || actor === undefined || this.#cuts.has(actor)) return;
    const then = (): void => {
      this.#trace.note(`${actor.name} ends`);
      this.#faults.crashes += 1;
      time.kill(actor);
      slot.wellSince = Number.POSITIVE_INFINITY;
      const downMs = random.draw([200, 3 * seconds, 15 * seconds, 10 * minutes]);
      time.after(time.world, downMs, () => {
        this.#start(slot).catch((error: unknown) =>
          this.#trace.fail('start', String((error as Error).stack)),
        );
      });
    };
    this.#cuts.set(actor, { left: random.integer(1, 120), then });
  }

  /** Lets a node stand still, as a machine that is suspended. */
  #stall(): void {
    const { random, time } = this.#machine;
    const slot = random.pick(this.#running());
    if (slot?.node === undefined) return;
    const { actor } = slot.node;
    const ms = random.draw([2 * seconds, 12 * seconds, 25 * seconds, 10 * minutes]);
    this.#trace.note(`${actor.name} stalls for ${ms} ms`);
    this.#faults.stalls += 1;
    actor.stalledUntil = time.now() + ms;
    slot.wellSince = actor.stalledUntil;
  }

  /** Sets the clock of a node so far off. */
  #setClock(slot: Slot | undefined, offsetMs: number): void {
    if (slot === undefined) return;
    this.#trace.note(`the clock of ${slot.name} is set to be off by ${offsetMs} ms`);
    this.#faults.jumps += 1;
    this.#deliveries.movedMs += Math.abs(slot.clock.offsetMs - offsetMs);
    slot.clock.set(offsetMs, this.#time.now());
    this.#wrongMs = Math.max(this.#wrongMs, Math.abs(offsetMs));
    slot.wellSince = this.#time.now();
    if (this.#climate !== 'clocks') this.#deliveries.mayOverlap = true;
  }

  /** Moves the time on, skipping what nothing happens in. */
  async #advance(until: number): Promise<void> {
    const time = this.#time;
    const isBroken = () => this.#trace.broken !== undefined;
    while (time.now() < until && !isBroken()) {
      await time.runUntil(Math.min(time.now() + sliceMs, until), isBroken);
      this.#check();
      if (isBroken() || !this.#isQuiet()) continue;
      const skipMs = this.#machine.random.integer(minutes, skipMsMax);
      // Whoever has something to do in between runs late, and all of them at once.
      time.skipTo(Math.min(time.now() + skipMs, until, time.world.nextAt(), this.#nextDue()));
    }
  }

  /** Whether nothing is under way and nothing is due. */
  #isQuiet(): boolean {
    if (this.#receivers.inFlight > 0 || this.#behindSince !== undefined) return false;
    const now = this.#time.trueTime();
    for (const { id, dueAt, leasedUntil } of this.#view.lanes()) {
      if (leasedUntil !== null && this.#deliveries.hasLiveHolder(id)) return false;
      const isDue = this.#slots.some(({ clock }) => dueAt !== null && dueAt <= now + clock.offsetMs);
      if (isDue && leasedUntil === null) return false;
    }
    return true;
  }

  /** The next moment at which something is due by the clock of a node, in the time of the run. */
  #nextDue(): number {
    const now = this.#time.trueTime();
    const times = this.#view.lanes().flatMap(({ dueAt, leasedUntil }) => [dueAt, leasedUntil]);
    let next = Number.POSITIVE_INFINITY;
    for (const at of [...times, this.#view.mailDueAt()])
      for (const { clock } of this.#slots)
        if (at !== null && at - clock.offsetMs > now) next = Math.min(next, at - clock.offsetMs);
    return next - this.#time.startsAt;
  }

  /** Checks that nothing is late that nothing holds up, and now and then what is kept. */
  #check(): void {
    const wells = this.#running().filter(({ wellSince }) => wellSince <= this.#time.now() - lateMsMax);
    this.#checkLanes(wells);
    this.#checkNotifier(wells);
    if (this.#time.now() - this.#sampledAt < 20 * minutes) return;
    this.#sampledAt = this.#time.now();
    const now = this.#time.trueTime();
    const wellMs = this.#time.now() - Math.min(...this.#slots.map(({ wellSince }) => wellSince));
    const about = { now, wrongMs: 2 * this.#wrongMs, wellMs };
    this.#retention.sample(about);
    // A mailer whose clock is a day ahead takes new notifications for old ones, and one whose clock is behind waits.
    if (this.#wrongMs < minutes) this.#mail.sample(about);
  }

  /** A lane that is due is claimed soon, and a lane that is claimed goes on. */
  #checkLanes(wells: readonly Slot[]): void {
    for (const { id, dueAt, leasedUntil } of this.#view.lanes()) {
      const isHeld = leasedUntil !== null && this.#deliveries.hasLiveHolder(id);
      const able = wells.find(
        ({ clock }) => dueAt !== null && Math.max(dueAt, leasedUntil ?? 0) <= clock.now(),
      );
      if (isHeld || able === undefined) this.#dueSince.delete(id);
      const since = this.#dueSince.get(id) ?? this.#time.now();
      if (!isHeld && able !== undefined) this.#dueSince.set(id, since);
      if (this.#time.now() - since > lateMsMax)
        this.#trace.fail('starving', `the deliveries to ${id} are due and ${able?.name} does not send them`);
    }
    this.#deliveries.checkHolders(lateMsMax);
  }

  #checkNotifier(wells: readonly Slot[]): void {
    const state = this.#view.notifier();
    const isBehind = state !== undefined && state.position < this.#view.newestEventToNotify();
    this.#behindSince = isBehind ? (this.#behindSince ?? this.#time.now()) : undefined;
    const lateMs = this.#time.now() - (this.#behindSince ?? this.#time.now());
    // A node whose clock was ahead may have left a lease that ends far in the future (docs/durability.md).
    const until = this.#view.leasedUntil('notifier');
    const canTake = wells.some(({ clock }) => until <= clock.now() - lateMsMax);
    if (lateMs > lateMsMax && canTake)
      this.#trace.fail(
        'starving',
        `the notifier is at ${state?.position} of ${state?.newest} and does not go on`,
      );
  }

  result(): RunResult {
    return {
      seed: this.#seed,
      climate: this.#climate,
      nodes: this.#slots.length,
      hours: this.#time.now() / hours,
      steps: this.#time.steps,
      counts: {
        ...this.#clients.counts,
        ...this.#deliveries.counts,
        mails: this.#mail.sent,
        removed: this.#retention.removed,
        ...this.#faults,
      },
      broken: this.#trace.broken,
    };
  }

  async close(): Promise<void> {
    for (const { node } of this.#slots) if (node !== undefined) this.#time.kill(node.actor);
    this.#view[Symbol.dispose]();
    const { store, storeActor } = this.#machine;
    await this.#settle(this.#time.as(storeActor, () => store.close()));
  }
}

/** Leaves syncing out: what a power cut loses is the subject of `npx node proof/power.ts`. */
function withoutSyncs(): Disposable {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql: string) {
    if (sql === 'begin immediate') exec.call(this, 'pragma synchronous = off');
    exec.call(this, sql);
  };
  return {
    [Symbol.dispose]() {
      DatabaseSync.prototype.exec = exec;
    },
  };
}
