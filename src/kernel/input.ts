import { Problem } from './problem.ts';

/**
 * A request body whose values may still be wrong. Missing resources and rights are judged before values (404, 403,
 * then 422), so the value can only be reached through `valid()`, which features call once access is settled.
 */
export class Input<T> {
  readonly #value: T | undefined;
  readonly #problem: Problem | undefined;

  private constructor(value: T | undefined, problem: Problem | undefined) {
    this.#value = value;
    this.#problem = problem;
  }

  /** An input that obeys every rule known so far. */
  static of<T>(value: T): Input<T> {
    return new Input<T>(value, undefined);
  }

  /** An input that breaks a rule. */
  static broken<T>(problem: Problem): Input<T> {
    return new Input<T>(undefined, problem);
  }

  /** Prepares the value ahead of a transaction. A `Problem` that `prepare` throws is kept until `valid()`. */
  map<U>(prepare: (value: T) => U): Input<U> {
    if (this.#problem !== undefined) return Input.broken(this.#problem);
    try {
      return Input.of(prepare(this.#value as T));
    } catch (error) {
      if (error instanceof Problem) return Input.broken(error);
      throw error;
    }
  }

  /** The value; throws the kept `Problem` (validation_failed) when a rule is broken. */
  valid(): T {
    if (this.#problem !== undefined) throw this.#problem;
    return this.#value as T;
  }
}
