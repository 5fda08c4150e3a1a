import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Costs, type Setting, simulate } from '../../scripts/lanes/model.ts';
import { Disk, Lock, type Process, Processors, Simulation } from '../../scripts/lanes/simulation.ts';

/** Runs processes of a name each to their end, and returns the times at which they noted something. */
function notesOf(
  make: (simulation: Simulation, note: (name: string) => void) => readonly Process[],
): string[] {
  const simulation = new Simulation();
  const notes: string[] = [];
  const processes = make(simulation, (name) => void notes.push(`${name} ${simulation.now}`));
  for (const process of processes) simulation.start(process);
  simulation.runUntil(1000);
  return notes;
}

// What waits for the same thing has it one after another, in the order of coming, for as long as it takes.
describe('simulated processes', () => {
  it('share two processors in slices of a millisecond', () => {
    const notes = notesOf((simulation, note) => {
      const processors = new Processors(simulation, 2);
      return [3, 1, 2].map(function* (ms, index) {
        yield* processors.use(ms);
        note(`${index}`);
      });
    });
    assert.deepEqual(notes, ['1 1', '2 3', '0 3']);
  });

  it('get a lock in the order in which they came, and those who share it together', () => {
    const notes = notesOf((simulation, note) => {
      const lock = new Lock();
      return ['hold', 'share', 'share', 'hold', 'share'].map(function* (how, index) {
        yield* how === 'hold' ? lock.hold() : lock.share();
        yield* simulation.pass(10);
        note(`${how} ${index}`);
        lock.release();
      });
    });
    assert.deepEqual(notes, ['hold 0 10', 'share 1 20', 'share 2 20', 'hold 3 30', 'share 4 40']);
  });

  it('share the sync that begins after they have written', () => {
    const notes = notesOf((simulation, note) => {
      const disk = new Disk(simulation, () => 10);
      return [0, 1, 2].map(function* (at) {
        yield* simulation.pass(at);
        yield* disk.sync();
        note(`${at}`);
      });
    });
    assert.deepEqual(notes, ['0 10', '1 20', '2 20']);
  });
});

const nothing = { group: 0, write: 0 };
/** A group costs PostgreSQL nothing but a sync of 5 ms. */
const costs: Costs = {
  node: { before: 0, within: 0, after: 0 },
  credential: 0,
  reads: nothing,
  entries: nothing,
  words: nothing,
  log: nothing,
  change: { trips: 1, work: 0 },
  later: 0,
  handOver: 0,
  syncs: [5],
  load: 0,
};
const setting: Setting = {
  way: 'turn',
  nodes: 2,
  lanes: 1,
  apps: 16,
  clients: 1,
  pause: 0,
  delay: 10,
  changing: 0,
  appless: 0,
  processors: 8,
  shared: false,
  seconds: 20,
  seed: 1,
};

// The simulation gives what can be worked out by hand, and the same for the same seed.
describe('simulated nodes', () => {
  it('hold the turn of an addition for one round trip and a sync, and that of a change for three', () => {
    // Three of the four round trips of one node are outside the turn of 25 ms, so two nodes do not wait for each other.
    const one = simulate({ ...setting, nodes: 1 }, costs);
    assert.equal(one.p50Ms, 85);
    assert.equal(simulate(setting, costs).p50Ms, 85);
    // Eight nodes fill all turns: one in 25 ms.
    assert.ok(Math.abs(simulate({ ...setting, nodes: 8 }, costs).perSecond - 40) < 1);
    // The answer to the lock, one round trip of the change, and the way of the commit.
    const changing = simulate({ ...setting, nodes: 8, changing: 1 }, costs);
    assert.ok(Math.abs(changing.perSecond - 1000 / 45) < 1);
  });

  it('write without turns in lanes of their own', () => {
    const turns = simulate({ ...setting, nodes: 8 }, costs);
    const lanes = simulate({ ...setting, nodes: 8, way: 'lanes by node', lanes: 8 }, costs);
    assert.ok(lanes.perSecond > 2 * turns.perSecond);
  });

  it('are the same for the same seed', () => {
    const like = { ...setting, clients: 8, changing: 0.2, way: 'lanes', lanes: 4 } as const;
    assert.deepEqual(simulate(like, costs), simulate(like, costs));
  });
});
