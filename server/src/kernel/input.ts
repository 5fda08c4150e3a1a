import { Problem } from 'confab-contract/problem.ts';
import { Faults } from './faults.ts';

/**
 * Readers of some fields of an object, and of fields of nested objects. A reader gets a value of the right JSON type. It
 * throws `validation_failed` with pointers relative to the object that contains the field.
 */
type Readers<T, Facts extends readonly unknown[] = []> = {
  readonly [K in keyof T]?:
    | ((value: NonNullable<T[K]>, ...facts: Facts) => unknown)
    | Readers<NonNullable<T[K]>, Facts>;
};

/** The type of an object after its readers ran. An absent or null field stays absent or null. */
type Read<T, R> = {
  [K in keyof T]: K extends keyof R
    ?
        | (R[K] extends (...args: never) => infer V ? Awaited<V> : Read<NonNullable<T[K]>, R[K]>)
        | Extract<T[K], null | undefined>
    : T[K];
};

/**
 * A request body that may still have invalid values. Missing resources and rights are checked before values (404, 403,
 * then 422), so the value is available only through `valid()`, which features call after the access check.
 */
export class Input<T> {
  /** The value. If there is a problem, it contains only valid fields and may be undefined. */
  readonly #value: T;
  readonly #problem: Problem | undefined;

  private constructor(value: T, problem: Problem | undefined) {
    this.#value = value;
    this.#problem = problem;
  }

  /** An input without known faults. */
  static of<T>(value: T): Input<T> {
    return new Input<T>(value, undefined);
  }

  /** An input with faults: the valid rest of the value, and the `validation_failed` that names the faults. */
  static faulty<T>(rest: T, problem: Problem): Input<T> {
    return new Input<T>(rest, problem);
  }

  /**
   * Reads fields before a transaction, each with its own reader. It reads every field even if others are invalid, so that
   * `valid()` names all faults.
   */
  read<const R extends Readers<T>>(readers: R): Input<Read<T, R>> {
    const faults = new Faults();
    const value = isObject(this.#value)
      ? readFields(this.#value, readers, { prefix: '', faults })
      : this.#value;
    return new Input(value as Read<T, R>, merged(this.#problem, faults));
  }

  /** The same for fields that are expensive to read. Their readers get whether there is a fault so far. */
  async readLater<const R extends Readers<T, [{ isFaulty: boolean }]>>(
    readers: R,
  ): Promise<Input<Read<T, R>>> {
    const faults = new Faults();
    const value = isObject(this.#value)
      ? await readFieldsLater(this.#value, readers, {
          prefix: '',
          faults,
          isFaulty: this.#problem !== undefined,
        })
      : this.#value;
    return new Input(value as Read<T, R>, merged(this.#problem, faults));
  }

  /** The input with a fault found outside the body; unchanged without one. */
  and(fault: Problem | undefined): Input<T> {
    if (fault === undefined) return this;
    const faults = new Faults();
    faults.addAll(fault);
    return new Input(this.#value, merged(this.#problem, faults));
  }

  /** Prepares a value without faults. A `Problem` that `prepare` throws is kept until `valid()`. */
  map<U>(prepare: (value: T) => U): Input<U> {
    if (this.#problem !== undefined) return new Input(undefined as U, this.#problem);
    try {
      return Input.of(prepare(this.#value));
    } catch (error) {
      return Input.#kept(error);
    }
  }

  /** The same where `prepare` may have to wait for something; the result is a promise only then. */
  mapLater<U>(prepare: (value: T) => U | Promise<U>): Input<U> | Promise<Input<U>> {
    const prepared = this.map(prepare);
    const value = prepared.#value;
    return value instanceof Promise
      ? value.then((done) => Input.of(done), Input.#kept<U>)
      : (prepared as Input<U>);
  }

  /** An input with the `Problem` that preparing it has thrown; throws every other error. */
  static #kept<U>(error: unknown): Input<U> {
    if (error instanceof Problem) return new Input(undefined as U, error);
    throw error;
  }

  /** The value; throws the kept `Problem` if there are faults, or preparing it threw one. */
  valid(): T {
    if (this.#problem !== undefined) throw this.#problem;
    return this.#value;
  }
}

function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null;
}

/** The problem that names the faults of both, or undefined when there are none. */
function merged(problem: Problem | undefined, faults: Faults): Problem | undefined {
  if (faults.count === 0) return problem;
  const all = new Faults();
  if (problem !== undefined) all.addAll(problem);
  all.addAll(faults.problem('validation_failed'));
  return all.problem('validation_failed');
}

/** The problem that a reader threw; rethrows every other error. */
function asFaults(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'validation_failed') return error;
  throw error;
}

type AnyReader = ((value: unknown, ...facts: unknown[]) => unknown) | AnyReaders;
type AnyReaders = { readonly [name: string]: AnyReader };
type Fields = { [name: string]: unknown };

/** The position of the fields in the body, as the prefix of their pointers, and their faults so far. */
type Reading = { readonly prefix: string; readonly faults: Faults };

function readFields(value: object, readers: object, reading: Reading): object {
  const { prefix, faults } = reading;
  const read: Fields = { ...value };
  for (const [name, reader] of Object.entries(readers as AnyReaders)) {
    const value = read[name];
    if (value === undefined || value === null) continue;
    try {
      read[name] =
        typeof reader === 'function'
          ? reader(value)
          : readFields(value, reader, { prefix: `${prefix}/${name}`, faults });
    } catch (error) {
      faults.addAll(asFaults(error), prefix);
      delete read[name];
    }
  }
  return read;
}

async function readFieldsLater(
  value: object,
  readers: object,
  reading: Reading & { readonly isFaulty: boolean },
): Promise<object> {
  const { prefix, faults, isFaulty } = reading;
  const read: Fields = { ...value };
  for (const [name, reader] of Object.entries(readers as AnyReaders)) {
    const value = read[name];
    if (value === undefined || value === null) continue;
    try {
      read[name] =
        typeof reader === 'function'
          ? await reader(value, { isFaulty: isFaulty || faults.count > 0 })
          : await readFieldsLater(value, reader, { ...reading, prefix: `${prefix}/${name}` });
    } catch (error) {
      faults.addAll(asFaults(error), prefix);
      delete read[name];
    }
  }
  return read;
}
