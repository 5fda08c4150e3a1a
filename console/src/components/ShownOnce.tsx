import type { ComponentChildren } from 'preact';
import { t } from '../messages.ts';
import { Copy } from './Copy.tsx';
import { Dialog } from './Dialog.tsx';

type ShownOnceProps = {
  readonly title: string;
  /** That it cannot be shown again. */
  readonly text: string;
  readonly secret: string;
  /** The words of the button that copies it. */
  readonly copy: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

/** Shows a secret that was just made. */
export function ShownOnce({ title, text, secret, copy, onClose, children }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <p class="secret">
        <code dir="ltr">{secret}</code>
      </p>
      {children}
      <div class="buttons">
        <Copy text={secret} label={copy} />
        <button type="button" class="primary" onClick={onClose}>
          {t('kept')}
        </button>
      </div>
    </Dialog>
  );
}
