import { Twin } from './twins.ts';

/**
 * Which name on one server corresponds to which name on the other, by kind. This is learnt from the responses: the
 * first time two names occur at the same place they become a pair, and from then on neither may occur with another
 * name. Both sides assign numbers in order, so pairs must be in the same order on both.
 */
export class Identities {
  readonly #kinds = new Map<string, { byLeft: Map<Name, Twin>; byRight: Map<Name, Twin> }>();

  /** Records that two names occurred at the same place; returns the contradiction, or undefined. */
  meet(kind: string, left: Name, right: Name): string | undefined {
    const known = this.#kinds.get(kind) ?? { byLeft: new Map(), byRight: new Map() };
    this.#kinds.set(kind, known);
    const [there, here] = [known.byLeft.get(left), known.byRight.get(right)];
    if (there === undefined && here === undefined) {
      const twin = new Twin(left, right);
      known.byLeft.set(left, twin);
      known.byRight.set(right, twin);
      return undefined;
    }
    if (there !== undefined && there === here) return undefined;
    return `the ${kind} ${left} is ${there?.right ?? 'unknown'} on the right, and ${right} there is ${here?.left ?? 'unknown'} here`;
  }

  /** How many pairs of each kind are known, and in how many the names differ. */
  sizes(): { readonly kind: string; readonly known: number; readonly differing: number }[] {
    return [...this.#kinds].map(([kind, { byLeft }]) => ({
      kind,
      known: byLeft.size,
      differing: [...byLeft.values()].filter(({ left, right }) => left !== right).length,
    }));
  }

  /** The pairs of numbers that are not in the same order on both sides. */
  disorders(): string[] {
    return [...this.#kinds].flatMap(([kind, { byLeft }]) => {
      const twins = [...byLeft.values()].filter(({ left }) => typeof left === 'number');
      twins.sort((a, b) => Number(a.left) - Number(b.left));
      return twins.flatMap(({ left, right }, index) => {
        const before = twins[index - 1];
        return before !== undefined && Number(before.right) >= Number(right)
          ? [`the ${kind} ${before.left} comes before ${left}, but ${before.right} after ${right}`]
          : [];
      });
    });
  }
}

type Name = string | number;
