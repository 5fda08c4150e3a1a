import { useLayoutEffect, useRef } from 'preact/hooks';
import { createStore } from './store.ts';

/** Keys that do something where no field has the focus. `?` lists those of the page. */

/** A key of `KeyboardEvent.key`, or two of them one after the other such as `g o`. */
export type Shortcut = { readonly keys: string; readonly label: string; readonly run: () => void };

/** The shortcuts of what is shown. */
export const shortcuts = createStore<readonly Shortcut[]>([]);

/** The first key of a pair. It waits for the second without a limit: some hands are slow, and so are some machines. */
let first: string | undefined;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

window.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
    return;
  const pair = `${first} ${event.key}`;
  // The one that was added last belongs to what lies on top.
  const found =
    shortcuts.get().findLast(({ keys }) => keys === pair) ??
    shortcuts.get().findLast(({ keys }) => keys === event.key);
  first = found === undefined ? event.key : undefined;
  // A dialog has the keyboard to itself.
  if (found === undefined || document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  found.run();
});

window.addEventListener('pointerdown', () => {
  first = undefined;
});

/** Adds shortcuts while a component is shown. */
export function useShortcuts(added: readonly Shortcut[]): void {
  const latest = useRef(added);
  latest.current = added;
  const names = added.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  // Before what was drawn is seen: who sees it may press its keys.
  useLayoutEffect(() => {
    const mine = latest.current.map(({ keys, label }, index) => ({
      keys,
      label,
      run: () => latest.current[index]?.run(),
    }));
    shortcuts.set([...shortcuts.get(), ...mine]);
    return () => shortcuts.set(shortcuts.get().filter((each) => !mine.includes(each)));
  }, [names]);
}
