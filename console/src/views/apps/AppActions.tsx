import type { App } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction } from '../../data.ts';
import { navigate } from '../../router.ts';
import { LockDialog } from '../content/LockDialog.tsx';
import { AppForm } from './AppForm.tsx';
import { t } from './messages.ts';

type AppActionsProps = { readonly app: App; readonly onChange: () => void };

/** What can be done with an app: edit, lock, trash, delete, and the way back. */
export function AppActions({ app, onChange }: AppActionsProps) {
  const { id, locked_at, is_trashed } = app;
  const [dialog, setDialog] = useState<'edit' | 'lock' | 'delete'>();
  const close = (isDone: boolean) => {
    setDialog(undefined);
    if (isDone) onChange();
  };
  const trashing = useAction(async (isIn: boolean) => {
    const put = async (into: boolean) => {
      await (into ? client.trashApp(id) : client.restoreApp(id));
      onChange();
    };
    await put(isIn);
    toast(t(isIn ? 'trashDone' : 'restoreDone'), { undo: () => put(!isIn) });
  });
  const unlocking = useAction(async () => {
    await client.unlockApp(id);
    onChange();
    toast(t('unlockDone'), {
      undo: async () => {
        await client.lockApp(id, locked_at === undefined ? {} : { locked_at });
        onChange();
      },
    });
  });
  return (
    <>
      <Failure error={trashing.error ?? unlocking.error} />
      {is_trashed ? (
        <>
          <button type="button" disabled={trashing.isRunning} onClick={() => trashing.run(false)}>
            {t('restore')}
          </button>
          <button type="button" class="danger" onClick={() => setDialog('delete')}>
            {t('delete')}
          </button>
        </>
      ) : (
        <>
          <button type="button" onClick={() => setDialog('edit')}>
            {t('edit')}
          </button>
          {locked_at === undefined ? (
            <button type="button" onClick={() => setDialog('lock')}>
              {t('lock')}
            </button>
          ) : (
            <button type="button" disabled={unlocking.isRunning} onClick={() => unlocking.run()}>
              {t('unlock')}
            </button>
          )}
          <button type="button" disabled={trashing.isRunning} onClick={() => trashing.run(true)}>
            {t('trash')}
          </button>
        </>
      )}
      {dialog === 'edit' && <AppForm app={app} onClose={close} />}
      {dialog === 'lock' && <LockDialog lock={(body) => client.lockApp(id, body)} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title={t('deleteTitle')}
          text={t('deleteText')}
          button={t('delete')}
          isDangerous
          change={() => client.deleteApp(id)}
          onClose={(isDone) => {
            setDialog(undefined);
            if (!isDone) return;
            navigate('/apps');
            toast(t('deleteDone'));
          }}
        />
      )}
    </>
  );
}
