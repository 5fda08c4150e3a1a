import type { Store } from './store.ts';

/**
 * What somebody is writing. Each tab keeps what is written in it apart, so two tabs never overwrite each other. A tab that
 * has nothing of its own at a place shows the newest of another one, which may have been closed.
 */

/** A text that has not been sent. */
export type Draft = { readonly text: string; readonly at: number };

/** The drafts of an app. A place is `new`, `to-12` for an answer or `edit-12`. */
export type Drafts = ReturnType<typeof createDrafts>;

/** How long a draft is kept, in milliseconds. */
const keptMs = 30 * 86_400_000;

/** Creates the drafts of an app, which are below a prefix of the store. `tab` tells tabs apart. */
export function createDrafts(
  store: Store,
  { prefix, tab, now = Date.now }: { prefix: string; tab: string; now?: () => number },
) {
  const nameOf = (place: string, by: string) => `${prefix}${place} ${by}`;

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

    /** Keeps the text of this tab at a place. A blank one removes it. */
    write(place: string, text: string): void {
      store.set(nameOf(place, tab), text.trim() === '' ? undefined : { text, at: now() });
    },

    /** Forgets a text that the server has, or that was given up, in every tab that has the same. */
    forget(place: string, text: string): void {
      for (const draft of all(place)) if (draft.text === text) store.set(draft.name, undefined);
      store.set(nameOf(place, tab), undefined);
    },

    /** The places that have a draft. Those that are too old are removed. */
    places(): readonly string[] {
      const found = new Set<string>();
      for (const name of store.names(prefix)) {
        const { at = 0 } = store.get<Draft>(name) ?? {};
        if (now() - at > keptMs) store.set(name, undefined);
        else found.add(name.slice(prefix.length).split(' ')[0] ?? '');
      }
      return [...found];
    },
  };
}
