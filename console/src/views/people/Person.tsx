import { ProblemError, type UserDetail } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Failure, Loaded, Missing, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction, useQuery } from '../../data.ts';
import type { Params } from '../../router.ts';
import { hasKey, mayCall } from '../../session.ts';
import { Access } from './Access.tsx';
import { BanDialog } from './BanDialog.tsx';
import { Data } from './Data.tsx';
import { findPerson } from './find.ts';
import { t } from './messages.ts';
import './people.css';
import { Profile } from './Profile.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { States } from './States.tsx';
import { Tokens } from './Tokens.tsx';
import { Written } from './Written.tsx';

/** One person. API keys see and change everything; moderators see what users see, and what the person may do. */
export function Person({ params }: { readonly params: Params }) {
  const uid = params.user ?? '';
  return hasKey() ? <ForKey uid={uid} /> : <ForModerator uid={uid} />;
}

function ForKey({ uid }: { readonly uid: string }) {
  const query = useQuery(`person ${uid}`, (signal) => client.getUser(uid, { trashed: true }, { signal }), {
    live: ['user_'],
  });
  const { data } = query;
  return (
    <Page
      title={data?.display_name ?? t('title')}
      actions={data !== undefined && mayCall('users') && <Actions user={data} onChanged={query.refresh} />}
    >
      <Loaded query={query} missing={missingWords('user', uid)}>
        {(user) => (
          <>
            <States user={user} />
            <Profile user={user} />
            <Written user={user} />
            <Access user={user} />
            {mayCall('users') && <Tokens user={user} />}
            <Data user={user} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ForModerator({ uid }: { readonly uid: string }) {
  const query = useQuery(`person ${uid}`, async (signal) => ({ user: await findPerson(uid, signal) }));
  return (
    <Page title={query.data?.user?.display_name ?? t('title')}>
      <Loaded query={query}>
        {({ user }) =>
          user === undefined ? (
            <Missing words={missingWords('user', uid)} />
          ) : (
            <>
              <States user={user} />
              <Profile user={user} />
              <Written user={user} />
              <Access user={user} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

type ActionsProps = { readonly user: UserDetail; readonly onChanged: () => void };

function Actions({ user, onChanged }: ActionsProps) {
  const [isEdited, setEdited] = useState(false);
  const [isBanned, setBanned] = useState(false);
  const { id, is_suspended: isSuspended, is_trashed: isTrashed } = user;
  const action = useAction(async (change: () => Promise<unknown>, { done, undo }: Change) => {
    await change();
    onChanged();
    toast(done, {
      undo: async () => {
        await undo();
        onChanged();
      },
    });
  });
  const suspend = (is_suspended: boolean) => () => client.updateUser(id, { is_suspended });
  const trust = (is_trusted: boolean) => () => client.updateUser(id, { is_trusted });
  const trash = () => client.trashUser(id);
  const restore = () => client.restoreUser(id);
  const run = (change: () => Promise<unknown>, about: Change) => () => void action.run(change, about);
  if (isTrashed === true)
    return (
      <button
        type="button"
        disabled={action.isRunning}
        onClick={run(restore, { done: t('restored'), undo: trash })}
      >
        {t('restore')}
      </button>
    );
  return (
    <>
      <Failure error={action.error instanceof ProblemError ? action.error : undefined} />
      <button type="button" onClick={() => setEdited(true)}>
        {t('edit')}
      </button>
      <button
        type="button"
        disabled={action.isRunning}
        onClick={
          user.is_trusted === true
            ? run(trust(false), { done: t('wasDistrusted'), undo: trust(true) })
            : run(trust(true), { done: t('wasTrusted'), undo: trust(false) })
        }
      >
        {t(user.is_trusted === true ? 'distrust' : 'trust')}
      </button>
      {user.visitor?.address !== undefined && mayCall('moderate') && (
        <button type="button" onClick={() => setBanned(true)}>
          {t('banAddress')}
        </button>
      )}
      {isSuspended === true ? (
        <button
          type="button"
          disabled={action.isRunning}
          onClick={run(suspend(false), { done: t('readmitted'), undo: suspend(true) })}
        >
          {t('readmit')}
        </button>
      ) : (
        <button
          type="button"
          disabled={action.isRunning}
          onClick={run(suspend(true), { done: t('wasSuspended'), undo: suspend(false) })}
        >
          {t('suspend')}
        </button>
      )}
      <button
        type="button"
        disabled={action.isRunning}
        onClick={run(trash, { done: t('wasTrashed'), undo: restore })}
      >
        {t('trash')}
      </button>
      {isBanned && <BanDialog address={user.visitor?.address} onClose={() => setBanned(false)} />}
      {isEdited && <ProfileForm user={user} onChanged={onChanged} onClose={() => setEdited(false)} />}
    </>
  );
}

/** What is said about a change, and the change that takes it back. */
type Change = { readonly done: string; readonly undo: () => Promise<unknown> };
