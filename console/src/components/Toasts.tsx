import { noteFailure } from '../api.ts';
import { t } from '../messages.ts';
import { createStore, useStore } from '../store.ts';

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => Promise<unknown>) | undefined;
};

const toasts = createStore<readonly Toast[]>([]);
/** How long a message stays, in milliseconds: long enough to read it and to reach its button. */
const shownMs = 10_000;
let ids = 0;

function remove(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id));
}

/** Says that something was done; `undo` offers to take it back. */
export function toast(text: string, options: { readonly undo?: () => Promise<unknown> } = {}): void {
  ids += 1;
  const id = ids;
  toasts.set([...toasts.get().slice(-3), { id, text, undo: options.undo }]);
  setTimeout(() => remove(id), shownMs);
}

async function takeBack({ id, undo }: Toast): Promise<void> {
  remove(id);
  try {
    await undo?.();
    toast(t('undone'));
  } catch (error) {
    noteFailure(error);
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** The messages at the edge of the page. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(toasts).map((each) => (
        <div key={each.id} class="toast">
          <span>{each.text}</span>
          {each.undo !== undefined && (
            <button type="button" class="link" onClick={() => takeBack(each)}>
              {t('undo')}
            </button>
          )}
          <button type="button" class="quiet" aria-label={t('close')} onClick={() => remove(each.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
