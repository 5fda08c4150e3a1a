import { useState } from 'preact/hooks';
import { t } from '../messages.ts';
import { signIn } from '../session.ts';
import { Field } from './Field.tsx';

/** Asks for a link, an API key or an access token, which the server exchanges for a session. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const [error, setError] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const credential = String(new FormData(form).get('credential') ?? '');
    setRunning(true);
    try {
      await signIn(credential);
      form.reset();
      onDone();
    } catch (failure) {
      setError(failure instanceof TypeError ? t('unreachable') : String((failure as Error).message));
    } finally {
      setRunning(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Field label={t('credential')} hint={t('credentialHint')} error={error}>
        {(attributes) => (
          <input
            {...attributes}
            name="credential"
            type="password"
            required
            autoComplete="off"
            spellcheck={false}
            dir="ltr"
          />
        )}
      </Field>
      <div class="buttons">
        <button type="submit" class="primary" disabled={isRunning}>
          {t('signIn')}
        </button>
      </div>
    </form>
  );
}
