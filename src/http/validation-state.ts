import { Faults } from '../kernel/faults.ts';
import type { Problem } from '../kernel/problem.ts';

/** Stands for a value at fault, which is left out of what was read. */
export const faulty: unique symbol = Symbol('faulty');

/** The state of validating one body: the faults found so far, and the place in the body that is being read. */
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

  /** Goes on with the member or item `key` of the present place. Call `leave` afterwards. */
  enter(key: string | number): void {
    this.#path.push(key);
  }

  /** Goes back to where `enter` was called. */
  leave(): void {
    this.#path.pop();
  }

  /** Takes note that the value at the present place, or its member `name`, breaks a rule. */
  breaks(code: string, message: string, name?: string): typeof faulty {
    this.broken.add(() => ({ pointer: this.#pointer(name), code, message }));
    return faulty;
  }

  /** Takes note that the value at the present place has a JSON type that it cannot have. */
  isNo(type: string): typeof faulty {
    const message = `must be of the JSON type ${type}`;
    this.#wrongTypes.add(() => ({ pointer: this.#pointer(), code: 'wrong_type', message }));
    return faulty;
  }

  /** The 400 that wrong types make of the request, with broken rules after them; undefined when no type is wrong. */
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
