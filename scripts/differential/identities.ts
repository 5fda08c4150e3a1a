import { Twin } from './twins.ts';

/**
 * Which name of the one server stands for which name of the other, by kind. It is learnt from the answers: the first
 * time two names meet in the same place they are taken for the same thing, and from then on neither may stand for
 * another. Numbers are given out in order on both sides, so the greater one of the one is the greater of the other.
 */
export class Identities {
  readonly #kinds = new Map<string, { byLeft: Map<Name, Twin>; byRight: Map<Name, Twin> }>();

  /** Takes note that two names were met in the same place; answers what is wrong with that, or undefined. */
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

  /** How many are known of each kind, and of how many the two names are not the same. */
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
