import { Twin } from './twins.ts';

/**
 * Which name of the one server stands for which name of the other, by kind. It is learnt from the answers: the first
 * time two names meet in the same place they are taken for the same thing, and from then on neither may stand for
 * another. Numbers are given out in order on both sides, so the greater one of the one is the greater of the other.
 */
export class Identities {
  readonly #kinds = new Map<string, { bySqlite: Map<Name, Twin>; byPostgres: Map<Name, Twin> }>();

  /** Takes note that two names were met in the same place; answers what is wrong with that, or undefined. */
  meet(kind: string, sqlite: Name, postgres: Name): string | undefined {
    const known = this.#kinds.get(kind) ?? { bySqlite: new Map(), byPostgres: new Map() };
    this.#kinds.set(kind, known);
    const [there, here] = [known.bySqlite.get(sqlite), known.byPostgres.get(postgres)];
    if (there === undefined && here === undefined) {
      const twin = new Twin(sqlite, postgres);
      known.bySqlite.set(sqlite, twin);
      known.byPostgres.set(postgres, twin);
      return undefined;
    }
    if (there !== undefined && there === here) return undefined;
    return `the ${kind} ${sqlite} is ${there?.postgres ?? 'unknown'} on PostgreSQL, and ${postgres} there is ${here?.sqlite ?? 'unknown'} here`;
  }

  /** How many are known of each kind, and of how many the two names are not the same. */
  sizes(): { readonly kind: string; readonly known: number; readonly differing: number }[] {
    return [...this.#kinds].map(([kind, { bySqlite }]) => ({
      kind,
      known: bySqlite.size,
      differing: [...bySqlite.values()].filter(({ sqlite, postgres }) => sqlite !== postgres).length,
    }));
  }

  /** The pairs of numbers that are not in the same order on both sides. */
  disorders(): string[] {
    return [...this.#kinds].flatMap(([kind, { bySqlite }]) => {
      const twins = [...bySqlite.values()].filter(({ sqlite }) => typeof sqlite === 'number');
      twins.sort((a, b) => Number(a.sqlite) - Number(b.sqlite));
      return twins.flatMap(({ sqlite, postgres }, index) => {
        const before = twins[index - 1];
        return before !== undefined && Number(before.postgres) >= Number(postgres)
          ? [`the ${kind} ${before.sqlite} comes before ${sqlite}, but ${before.postgres} after ${postgres}`]
          : [];
      });
    });
  }
}

type Name = string | number;
