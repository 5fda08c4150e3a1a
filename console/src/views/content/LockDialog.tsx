import type { LockCreate } from 'confab-client';
import { useState } from 'preact/hooks';
import { Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { submitting } from '../../components/submitting.ts';
import { useAction } from '../../data.ts';
import { t } from './messages.ts';

type LockDialogProps = {
  readonly lock: (body: LockCreate) => PromiseLike<unknown>;
  readonly onClose: (isDone: boolean) => void;
};

/** Asks from when an app, a post or a file is locked. */
export function LockDialog({ lock, onClose }: LockDialogProps) {
  const [isLater, setLater] = useState(false);
  const action = useAction(async (form: FormData) => {
    const at = form.get('at');
    await lock(typeof at === 'string' && at !== '' ? { locked_at: new Date(at).toISOString() } : {});
  });
  return (
    <Dialog title={t('lockTitle')} onClose={() => onClose(false)}>
      <p>{t('lockText')}</p>
      <form
        onSubmit={submitting(async (form) => {
          if (await action.run(form)) onClose(true);
        })}
      >
        <div class="choices">
          <label>
            <input type="radio" name="when" checked={!isLater} onChange={() => setLater(false)} />
            {t('lockNow')}
          </label>
          <label>
            <input type="radio" name="when" checked={isLater} onChange={() => setLater(true)} />
            {t('lockLater')}
          </label>
        </div>
        {isLater && (
          <Field label={t('lockFrom')} hint={t('lockFromHint')} error={action.errorOf('locked_at')}>
            {(attributes) => <input {...attributes} type="datetime-local" name="at" required />}
          </Field>
        )}
        <FormEnd action={action} button={t('lockButton')} onCancel={() => onClose(false)} />
      </form>
    </Dialog>
  );
}
