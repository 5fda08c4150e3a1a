/**
 * Has the tabs of a site take turns. Browsers have locks for that on pages with https; others use a note in the storage of
 * the site, which a tab that has gone leaves behind for as long as a turn may take at most.
 */

/** How long a turn may take, in milliseconds: longer than a request, which is given up after 20 seconds. */
const turnMs = 25_000;
/** How long a tab waits to see whether another has written its note at the same time, and between two looks. */
const lookMs = 50;

type Notes = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Runs a task while no other tab runs one of this name. `notes` is the storage of the site, where there is one. */
export async function inTurn<T>(notes: Notes | undefined, name: string, task: () => Promise<T>): Promise<T> {
  if (navigator.locks === undefined) return await inTurnByNote(notes, `${name} turn`, task);
  let isBegun = false;
  try {
    return await navigator.locks.request(name, async () => {
      isBegun = true;
      return await task();
    });
  } catch (error) {
    // A frame without an origin of its own may have no locks; it shares its storage with nobody either.
    if (isBegun) throw error;
    return await task();
  }
}

/** The same by a note in the storage; without storage there is nothing to share with other tabs. */
export async function inTurnByNote<T>(
  notes: Notes | undefined,
  name: string,
  task: () => Promise<T>,
): Promise<T> {
  if (notes === undefined) return await task();
  const own = Array.from(crypto.getRandomValues(new Uint32Array(2))).join('-');
  for (;;) {
    if (isFree(notes.getItem(name))) {
      if (!leave(notes, name, `${own} ${Date.now()}`)) break;
      await pause(lookMs);
      if (notes.getItem(name)?.startsWith(own)) break;
    }
    await pause(lookMs * (1 + Math.random()));
  }
  try {
    return await task();
  } finally {
    if (notes.getItem(name)?.startsWith(own)) notes.removeItem(name);
  }
}

/** Whether a note is of nobody, or of a tab that has gone. A clock that was set back must not make it wait for hours. */
function isFree(note: string | null): boolean {
  const since = Number(note?.split(' ')[1]);
  return note === null || !(Math.abs(Date.now() - since) < turnMs);
}

/** Returns whether there was room for the note. */
function leave(notes: Notes, name: string, note: string): boolean {
  try {
    notes.setItem(name, note);
    return true;
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
