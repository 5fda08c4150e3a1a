/**
 * Whether a request comes from the reference client, by its header `X-Weavy-Source`. It cannot render an item without
 * its author and tells the types of apps apart by guid.
 */
export function isReferenceClient(source: string | string[] | undefined): boolean {
  return typeof source === 'string' && source.startsWith('@weavy/uikit');
}

/** The longest that one answer waits for the other to be asked for, in milliseconds. */
const patienceMs = 300;
/** How far apart the two answers leave, in milliseconds: with 1 ms a busy browser took them in the right order as well. */
const marginMs = 20;

/** In which order the reference client gets two answers. */
export type AnswerOrder = {
  /** To be called when a user is told the features of a kind of app. */
  featuresTold(userId: number): void;
  /** Resolves when a user who asks for the features as well has been told them; at the latest after `patienceMs`. */
  afterFeatures(userId: number): Promise<void>;
};

/**
 * The reference client asks for the app, the caller and the features at once, and makes its editor when it knows app
 * and caller. An editor that is made before the features are known never offers mentions, so the caller is told last.
 * Each answer about the caller is matched with one about the features to the same user, whichever is asked for first.
 */
export function createAnswerOrder(): AnswerOrder {
  const waiting = createLines<() => void>();
  const told = createLines<symbol>();
  return {
    featuresTold(userId) {
      const release = waiting.take(userId);
      if (release !== undefined) return release();
      const mark = Symbol();
      told.add(userId, mark);
      afterwards(patienceMs, () => told.remove(userId, mark));
    },
    async afterFeatures(userId) {
      if (told.take(userId) === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(userId, resolve);
        afterwards(patienceMs, resolve);
        await promise;
        waiting.remove(userId, resolve);
      }
      await new Promise<void>((resolve) => afterwards(marginMs, resolve));
    },
  };
}

/** A line for each user, oldest first; a user with an empty line takes no room. */
function createLines<T>() {
  const lines = new Map<number, T[]>();
  function keep(userId: number, line: T[]): void {
    if (line.length === 0) lines.delete(userId);
    else lines.set(userId, line);
  }
  return {
    add(userId: number, item: T): void {
      keep(userId, [...(lines.get(userId) ?? []), item]);
    },
    take(userId: number): T | undefined {
      const [first, ...rest] = lines.get(userId) ?? [];
      keep(userId, rest);
      return first;
    },
    remove(userId: number, item: T): void {
      keep(
        userId,
        (lines.get(userId) ?? []).filter((other) => other !== item),
      );
    },
  };
}

function afterwards(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}
