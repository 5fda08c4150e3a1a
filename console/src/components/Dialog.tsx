import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type Action, useAction } from '../data.ts';
import { t } from '../messages.ts';
import { Failure } from './Loaded.tsx';

type DialogProps = {
  readonly title: string;
  /** Called once it is closed; absent for one that stays until its work is done. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
};

/** A dialog, open as long as it is drawn. The browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the page is drawn: keys that follow at once are for the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="quiet" aria-label={t('close')} onClick={onClose}>
            ×
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}

type ConfirmProps = {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly text: string;
  /** The words of the button, such as "Delete". */
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly change: () => Promise<unknown>;
  /** Called when the dialog is left; `isDone` says whether the change was made. */
  readonly onClose: (isDone: boolean) => void;
};

/** Asks before a change that cannot be undone. */
export function Confirm({ title, text, button, isDangerous, change, onClose }: ConfirmProps) {
  const action = useAction(change);
  const confirm = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // Enter confirms, unless it does harm.
    if (isDangerous !== true) confirm.current?.focus();
  }, []);
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <p>{text}</p>
      <Failure error={action.error} />
      <div class="buttons">
        <button type="button" onClick={() => onClose(false)}>
          {t('cancel')}
        </button>
        <button
          ref={confirm}
          type="button"
          class={isDangerous === true ? 'danger' : 'primary'}
          disabled={action.isRunning}
          onClick={async () => (await action.run()) && onClose(true)}
        >
          {button}
        </button>
      </div>
    </Dialog>
  );
}

type FormEndProps = {
  readonly action: Pick<Action<never>, 'error' | 'isRunning'>;
  /** The words of the button that submits, such as "Save". */
  readonly button: string;
  readonly onCancel: () => void;
};

/** The end of a form in a dialog: why it failed, and the two buttons. */
export function FormEnd({ action, button, onCancel }: FormEndProps) {
  return (
    <>
      <Failure error={action.error} />
      <div class="buttons">
        <button type="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button type="submit" class="primary" disabled={action.isRunning}>
          {button}
        </button>
      </div>
    </>
  );
}
