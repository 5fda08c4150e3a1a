import { type FieldError, Problem, type ProblemCode } from 'confab-contract/problem.ts';
import { beginningOf } from 'confab-contract/values/excerpt.ts';

/** The most faults that one refusal lists; the rest are counted. */
const listedMax = 20;

/** The most characters of a pointer or a parameter name in a refusal; clients could send names as long as a body. */
const placeCharactersMax = 128;

function shortened(place: string): string {
  return place.length <= placeCharactersMax ? place : `${beginningOf(place, placeCharactersMax - 1)}…`;
}

/**
 * The faults found in one request. It lists the first 20 and counts the rest, so that memory and response size do not
 * grow with the request.
 */
export class Faults {
  readonly #listed: FieldError[] = [];
  #count = 0;

  /** How many faults there are, listed or not. */
  get count(): number {
    return this.#count;
  }

  /** Adds a fault. `describe` is only called when the fault is listed. */
  add(describe: () => FieldError): void {
    this.#count += 1;
    if (this.#listed.length === listedMax) return;
    const { pointer, parameter, ...fault } = describe();
    this.#listed.push({
      ...(pointer === undefined ? {} : { pointer: shortened(pointer) }),
      ...(parameter === undefined ? {} : { parameter: shortened(parameter) }),
      ...fault,
    });
  }

  /** Adds the faults of a refusal, with `prefix` before their pointers. */
  addAll({ errors, moreErrors }: Problem, prefix = ''): void {
    for (const fault of errors)
      this.add(() => (fault.pointer === undefined ? fault : { ...fault, pointer: prefix + fault.pointer }));
    this.#count += moreErrors;
  }

  /** The refusal with all faults. Its detail describes the first one. */
  problem(code: ProblemCode, cause?: unknown): Problem {
    const [first] = this.#listed;
    const place = first?.parameter ?? (first?.pointer?.slice(1) || 'The body');
    return new Problem(code, `${place} ${first?.message ?? 'is not valid'}.`, {
      errors: this.#listed,
      moreErrors: this.#count - this.#listed.length,
      cause,
    });
  }
}
