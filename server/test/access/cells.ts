import assert from 'node:assert/strict';
import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import type { Answer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import type { AppState, Standing } from './policy.ts';
import type { Caller, World } from './world.ts';

const replaced = new Set(
  secondFormOperationList
    .filter((each) => each.replaces === true)
    .map(({ method, path }) => `${method} ${path}`),
);

/**
 * Who can call an operation of the first form by its id: nobody who asks for the second form where that replaces it. The
 * rows of those are in `second-form.ts`.
 */
export function callersOf(id: string, callers: readonly Caller[]): Caller[] {
  const { method, path } = (operations as { readonly [id: string]: Operation })[id] as Operation;
  const isReplaced = replaced.has(`${method} ${path}`);
  return callers.filter(({ isOfSecondForm }) => !isReplaced || isOfSecondForm !== true);
}

/**
 * Who is tried on a place. An invalid credential is refused before anything is looked up, with an answer that depends
 * on nothing else, so each is tried on one state alone: the most open one, where whoever slipped through would succeed.
 */
export function callersIn({ callers }: Pick<World, 'callers'>, { access, isTrashed }: AppState): Caller[] {
  const isOpen = access === 'write' && !isTrashed;
  return callers.filter(({ kind }) => isOpen || kind !== 'nobody');
}

/**
 * Says which cells are tried on the engine of this run. On SQLite these are all. A right is decided by the same code on
 * both engines and only its statements differ, so on PostgreSQL it is the first cell of each operation with each status
 * and kind of caller: who may, who may not, who must not know, and who has no credential.
 */
export function cellsOfEngine(): (
  operation: string,
  cell: { readonly status: number; readonly kind: Standing['kind'] },
) => boolean {
  const tried = new Set<string>();
  return (operation, { status, kind }) => {
    if (engine === 'sqlite') return true;
    const cell = `${operation} ${status} ${kind}`;
    const isFirst = !tried.has(cell);
    tried.add(cell);
    return isFirst;
  };
}

/** Fails unless as many cells were tried as there are, or on PostgreSQL at least two for each operation. */
export function assertCount(cells: number, { all, operations }: { all: number; operations: number }): void {
  if (engine === 'sqlite') assert.equal(cells, all);
  else assert.ok(cells >= 2 * operations && cells < all, `${cells} cells of ${operations} operations`);
}

/** How many cells operations have in all places. */
export function countCells({ callers, places }: World, ids: readonly string[]): number {
  const counts = ids.flatMap((id) =>
    places.map((place) => callersIn({ callers: callersOf(id, callers) }, place).length),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How the cells of one operation are tried. */
export type Trial<Cell> = {
  nameOf(cell: Cell): string;
  /** The one status that is intended. */
  expected(cell: Cell): number;
  send(cell: Cell): Promise<Answer>;
  /** Whether the store has changed since the last call. */
  hasChanged(): boolean;
  /** Whether it only reads, so that successes do not affect each other. */
  readonly isRead: boolean;
  /** Checks a success and undoes it. */
  accepted?(cell: Cell, answer: Answer, hasChanged: boolean): Promise<void>;
  /** Checks a refusal further. */
  refused?(cell: Cell, answer: Answer): Promise<void>;
};

/** Does something for each, all at once; returns what failed, by name. */
export async function faultsOf<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  act: (one: T) => Promise<void>,
): Promise<string[]> {
  const faults = all.map(async (one) => {
    try {
      await act(one);
      return [];
    } catch (error) {
      return [`${nameOf(one)}: ${error instanceof Error ? error.message : error}`];
    }
  });
  return (await Promise.all(faults)).flat();
}

/**
 * Tries cells and returns what is wrong. Those to be refused must change nothing, so they are sent at once, and reads
 * as well; successful changes follow one by one.
 */
export async function tryCells<Cell>(cells: readonly Cell[], trial: Trial<Cell>): Promise<string[]> {
  async function attempt(
    some: readonly Cell[],
    check: (cell: Cell, answer: Answer, hasChanged: boolean) => Promise<void> | undefined,
  ): Promise<string[]> {
    trial.hasChanged();
    const sent = some.map((cell) => ({ cell, sending: trial.send(cell) }));
    await Promise.allSettled(sent.map(({ sending }) => sending));
    const hasChanged = trial.hasChanged();
    return await faultsOf(
      sent,
      ({ cell }) => trial.nameOf(cell),
      async ({ cell, sending }) => {
        const answer = await sending;
        assert.equal(answer.status, trial.expected(cell), answer.text);
        await check(cell, answer, hasChanged);
      },
    );
  }
  const [accepted, refused] = [true, false].map((isIntended) =>
    cells.filter((cell) => trial.expected(cell) < 300 === isIntended),
  ) as [Cell[], Cell[]];
  const wrong = await attempt(refused, async (cell, answer, hasChanged) => {
    assert.equal(hasChanged, false, 'one of those refused with it, or this one, has changed something');
    await trial.refused?.(cell, answer);
  });
  for (const some of trial.isRead ? [accepted] : accepted.map((cell) => [cell]))
    wrong.push(...(await attempt(some, (...all) => trial.accepted?.(...all))));
  return wrong;
}

/** A response without what differs from one request to the next. */
function withoutTraces({ status, body }: Answer): string {
  return JSON.stringify([status, { ...body, request_id: '', instance: '' }]);
}

/**
 * Compares a refusal with the one about a missing object, which depends on nothing but the operation and the caller: it
 * is asked for once for each `key`.
 */
export function likeAbsent(
  textOf: (answer: Answer) => string = withoutTraces,
): (answer: Answer, key: string, askAbsent: () => Promise<Answer>) => Promise<void> {
  const known = new Map<string, Promise<string>>();
  return async (answer, key, askAbsent) => {
    const absent = known.get(key) ?? askAbsent().then(textOf);
    known.set(key, absent);
    assert.equal(textOf(answer), await absent, 'hidden is not like absent');
  };
}
