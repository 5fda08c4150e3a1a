import type { Problem } from 'confab-contract/problem.ts';
import { Faults } from '../../kernel/faults.ts';

/** Marks an invalid value, which is left out of the result. */
export const faulty: unique symbol = Symbol('faulty');

/** The state of validating one body: the faults found so far and the current position. */
export class ValidationState {
  /** Whether unknown properties are faults. */
  readonly isStrict: boolean;
  /** Values that break a rule, 422. */
  readonly broken = new Faults();
  readonly #wrongTypes = new Faults();
  readonly #path: (string | number)[] = [];

  constructor({ isStrict }: { isStrict: boolean }) {
    this.isStrict = isStrict;
  }

  /** How many faults there are. */
  get count(): number {
    return this.broken.count + this.#wrongTypes.count;
  }

  /** Moves to the member or item `key` of the current position. Call `leave` afterwards. */
  enter(key: string | number): void {
    this.#path.push(key);
  }

  /** Returns to the position before `enter`. */
  leave(): void {
    this.#path.pop();
  }

  /** Records that the current value, or its member `name`, breaks a rule. */
  breaks(code: string, message: string, name?: string): typeof faulty {
    this.broken.add(() => ({ pointer: this.#pointer(name), code, message }));
    return faulty;
  }

  /** Records that the current value has the wrong JSON type. */
  isNo(type: string): typeof faulty {
    const message = `must be of the JSON type ${type}`;
    this.#wrongTypes.add(() => ({ pointer: this.#pointer(), code: 'wrong_type', message }));
    return faulty;
  }

  /** The 400 for wrong types, followed by the broken rules; undefined when no type is wrong. */
  refusal(): Problem | undefined {
    if (this.#wrongTypes.count === 0) return undefined;
    this.#wrongTypes.addAll(this.broken.problem('validation_failed'));
    return this.#wrongTypes.problem('wrong_type');
  }

  #pointer(name?: string): string {
    const path = name === undefined ? this.#path : [...this.#path, name];
    return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  }
}
