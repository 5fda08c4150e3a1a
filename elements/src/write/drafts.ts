import type { Store } from './store.ts';

/**
 * What somebody is writing. It is kept for the person who is signed in, and nobody else is shown it; what was written before
 * signing in is theirs then. Each tab keeps what is written in it apart, so two tabs never overwrite each other. A tab that
 * has nothing of its own at a place shows the newest of another one, which may have been closed.
 */

/** A text that has not been sent. */
export type Draft = { readonly text: string; readonly at: number };

/** The drafts of an app. A place is `new`, `to-12` for an answer or `edit-12`, and with `poll-` before it for the options. */
export type Drafts = ReturnType<typeof createDrafts>;

/** How long a draft is kept, in milliseconds. */
const keptMs = 30 * 86_400_000;

/** What drafts are kept with. */
export type DraftOptions = {
  /** The beginning of the names below which they are kept. */
  readonly prefix: string;
  /** What tells tabs apart. */
  readonly tab: string;
  /** The id of the person who is signed in; undefined for nobody. */
  readonly person: () => number | undefined;
  readonly now?: () => number;
};

/** Creates the drafts of an app, which are below a prefix of the store. */
export function createDrafts(store: Store, { prefix, tab, person, now = Date.now }: DraftOptions) {
  /** The names of a person begin with this; signing out finds them by it (`my-data/sign-out.ts`). */
  const namesOf = (by: number | string = person() ?? 'nobody') => `${prefix}by-${by} `;
  const nameOf = (place: string, by: string) => `${namesOf()}${place} ${by}`;

  /** All drafts at a place, by their names. */
  function all(place: string): (Draft & { readonly name: string })[] {
    return store.names(nameOf(place, '')).flatMap((name) => {
      const draft = store.get<Draft>(name);
      return draft === undefined ? [] : [{ ...draft, name }];
    });
  }

  return {
    /** The draft of this tab at a place, or else the newest of another one. */
    read(place: string): string | undefined {
      const own = store.get<Draft>(nameOf(place, tab));
      return (own ?? all(place).toSorted((a, b) => b.at - a.at)[0])?.text;
    },

    /** Whether the storage still has what a person wrote in this tab at a place; not once they have signed out. */
    isKept: (by: number, place: string) => store.isKept(`${namesOf(by)}${place} ${tab}`),

    /** Keeps the text of this tab at a place. A blank one removes it. */
    write(place: string, text: string): void {
      store.set(nameOf(place, tab), text.trim() === '' ? undefined : { text, at: now() });
    },

    /** Forgets a text that the server has, or that was given up, in every tab that has the same, and the poll that it asks. */
    forget(place: string, text: string): void {
      for (const draft of all(place)) if (draft.text === text) store.set(draft.name, undefined);
      store.set(nameOf(place, tab), undefined);
      for (const { name } of all(`poll-${place}`)) store.set(name, undefined);
    },

    /** Gives the person who is signed in what was written before. What they had at such a place themselves is kept. */
    adopt(): void {
      if (person() === undefined) return;
      const nobodys = namesOf('nobody');
      for (const name of store.names(nobodys)) {
        const to = namesOf() + name.slice(nobodys.length);
        const [draft, own] = [store.get<Draft>(name), store.get<Draft>(to)];
        if (own !== undefined && !draft?.text.includes(own.text)) store.set(`${to}-before`, own);
        store.set(to, draft);
        store.set(name, undefined);
      }
    },

    /** The places that have a draft. Those that are too old are removed, whose ever they are. */
    places(): readonly string[] {
      for (const name of store.names(`${prefix}by-`))
        if (now() - (store.get<Draft>(name)?.at ?? 0) > keptMs) store.set(name, undefined);
      const own = namesOf();
      return [...new Set(store.names(own).map((name) => name.slice(own.length).split(' ')[0] ?? ''))];
    },
  };
}
