import type pg from 'pg';
import { rowMaker } from '../rows.ts';
import type { Parameters, Statement } from '../statement.ts';
import { type BatchKind, batchOf, rowsByQuery } from './batch.ts';
import { type BoundQuery, type PostgresOptions, queryOf } from './connection.ts';

/**
 * Asks together what one turn of the event loop asks apart. A statement costs its way there and back and its start in
 * the engine, which is more than the look-up of a row by its key. So requests that are served at the same time share it
 * without knowing of each other: equal reads are asked once, reads of one row go as one statement over arrays of their
 * parameters, and so do inserts of one row. What is alone in its turn goes as it is.
 */

type Caller = { resolve(rows: unknown[]): void; reject(error: unknown): void };

/** A query, and who waits for its answer. */
type Question = { readonly query: BoundQuery; readonly callers: Caller[] };

/** Questions by statement and, where equal ones are one, by their values. */
type Questions = Map<Statement<unknown>, Map<unknown, Question>>;

/** The requests of one turn: reads of one row, reads of all rows, inserts. */
type Turn = { readonly one: Questions; readonly all: Questions; readonly insert: Questions };

/** Sends a query, whose rows come as arrays; `isWrite` where it changes something. */
type Send = (query: pg.QueryArrayConfig, isWrite: boolean) => Promise<pg.QueryArrayResult>;

/** The most questions in one statement, so that quick ones are not kept waiting behind many. */
const questionsMax = 256;

/** Gathers the statements of each turn for one way to the engine. */
export class Gatherer {
  readonly #send: Send;
  readonly #options: PostgresOptions;
  #turn: Turn | undefined;

  constructor(send: Send, options: PostgresOptions) {
    this.#send = send;
    this.#options = options;
  }

  /** The first row, or undefined. */
  async get<R>(statement: Statement<R>, parameters: Parameters): Promise<R | undefined> {
    if (statement.kind === 'command') return (await this.all(statement, parameters))[0];
    const query = queryOf(statement, { parameters }, this.#options);
    const rows = await ask(this.#presentTurn().one, { statement, key: keyOf(query) }, query);
    return rows[0] as R | undefined;
  }

  /** Every row. */
  async all<R>(statement: Statement<R>, parameters: Parameters): Promise<R[]> {
    const query = queryOf(statement, { parameters }, this.#options);
    // A write runs as often as it is requested.
    const key = statement.kind === 'command' ? query : keyOf(query);
    return (await ask(this.#presentTurn().all, { statement, key }, query)) as R[];
  }

  /** Inserts one row and answers its id. */
  async insert(statement: Statement<unknown>, parameters: Parameters): Promise<number> {
    const query = queryOf(statement, { parameters, suffix: ' returning id' }, this.#options);
    const [row] = await ask(this.#presentTurn().insert, { statement, key: query }, query);
    return (row as { id: number }).id;
  }

  #presentTurn(): Turn {
    if (this.#turn !== undefined) return this.#turn;
    const turn: Turn = { one: new Map(), all: new Map(), insert: new Map() };
    this.#turn = turn;
    // It ends when every request that has come is read and every promise followed, so that all who can ask have asked.
    setImmediate(() => {
      this.#turn = undefined;
      for (const questions of turn.one.values()) this.#askTogether('read', [...questions.values()]);
      for (const [{ kind }, questions] of turn.all)
        this.#askEach([...questions.values()], kind === 'command');
      for (const questions of turn.insert.values()) this.#askTogether('insert', [...questions.values()]);
    });
    return turn;
  }

  #askEach(questions: readonly Question[], isWrite: boolean): void {
    for (const question of questions)
      void this.#answer(
        [question],
        this.#send({ ...question.query, rowMode: 'array' }, isWrite),
        (result) => {
          const toRow = rowMaker(result.fields.map(({ name }) => name));
          return new Map([[0, result.rows.map((values) => toRow(values))]]);
        },
      );
  }

  #askTogether(kind: BatchKind, questions: readonly Question[]): void {
    for (let from = 0; from < questions.length; from += questionsMax) {
      const some = questions.slice(from, from + questionsMax);
      const batch = batchOf(
        kind,
        some.map(({ query }) => query),
      );
      const isWrite = kind === 'insert';
      if (batch === undefined) this.#askEach(some, isWrite);
      else void this.#answer(some, this.#send(batch, isWrite), rowsByQuery);
    }
  }

  async #answer(
    questions: readonly Question[],
    result: Promise<pg.QueryArrayResult>,
    apart: (result: pg.QueryArrayResult) => ReadonlyMap<number, readonly unknown[]>,
  ): Promise<void> {
    try {
      const answers = apart(await result);
      // Each has an array of its own to do with as it likes.
      for (const [place, { callers }] of questions.entries())
        for (const { resolve } of callers) resolve([...(answers.get(place) ?? [])]);
    } catch (error) {
      for (const { callers } of questions) for (const { reject } of callers) reject(error);
    }
  }
}

/** The same text for the same values and no others. */
export function keyOf({ values = [] }: Pick<pg.QueryConfig, 'values'>): string {
  return JSON.stringify(
    values.map((value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ),
  );
}

function ask(
  questions: Questions,
  { statement, key }: { statement: Statement<unknown>; key: unknown },
  query: BoundQuery,
): Promise<unknown[]> {
  const ofStatement = questions.get(statement) ?? new Map<unknown, Question>();
  questions.set(statement, ofStatement);
  const question: Question = ofStatement.get(key) ?? { query, callers: [] };
  ofStatement.set(key, question);
  return new Promise((resolve, reject) => {
    question.callers.push({ resolve, reject });
  });
}
