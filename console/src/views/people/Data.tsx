import type { UserDetail } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { submitting } from '../../components/submitting.ts';
import { useAction } from '../../data.ts';
import { t as shell } from '../../messages.ts';
import { navigate } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { t } from './messages.ts';

/** What the server has of a person: the export, and the erasure. */
export function Data({ user }: { readonly user: UserDetail }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <section class="card" aria-label={t('data')}>
      <h2>{t('data')}</h2>
      <p class="soft">{t('dataAbout')}</p>
      <div class="buttons">
        {/* The browser writes the archive to disk as it comes, however large it is. */}
        <a class="button" href={`/api/users/${user.id}/export`} download={`user-${user.id}.tar`}>
          {t('export')}
        </a>
        {mayCall('users') && mayCall('moderate') && (
          <button type="button" class="danger" onClick={() => setAsked(true)}>
            {t('erase')}
          </button>
        )}
      </div>
      {isAsked && <Erase user={user} onClose={() => setAsked(false)} />}
    </section>
  );
}

type EraseProps = { readonly user: UserDetail; readonly onClose: () => void };

/** Asks what becomes of the texts, and for the uid, so that nobody is erased by mistake. */
function Erase({ user, onClose }: EraseProps) {
  const [typed, setTyped] = useState('');
  const action = useAction(async (content: 'remove' | 'keep') => {
    const { id } = await client.eraseUser(user.id, { content });
    navigate(`/people/erasures/${id}`);
  });
  const submit = submitting((form) => {
    const content = form.get('content');
    void action.run(content === 'keep' ? 'keep' : 'remove');
  });
  return (
    <Dialog title={t('eraseName', { name: user.display_name })} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{t('eraseAbout')}</p>
        <fieldset>
          <legend>{t('content')}</legend>
          <label class="check">
            <input type="radio" name="content" value="remove" defaultChecked /> {t('contentRemove')}
          </label>
          <label class="check">
            <input type="radio" name="content" value="keep" /> {t('contentKeep')}
          </label>
        </fieldset>
        <Field label={t('typeUid', { uid: user.uid })}>
          {(attributes) => (
            <input
              {...attributes}
              required
              autoComplete="off"
              spellcheck={false}
              dir="auto"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </Field>
        <Failure error={action.error} />
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {shell('cancel')}
          </button>
          <button type="submit" class="danger" disabled={typed !== user.uid || action.isRunning}>
            {t('erase')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
