import type { UserDetail } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Confirm } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Loaded.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { useAction } from '../../data.ts';
import { formatTime } from '../../i18n.ts';
import { t } from './messages.ts';

/** How long a token can be valid, in seconds, with its name. */
const lifetimes = [
  ['3600', 'hour'],
  ['86400', 'day'],
  ['604800', 'week'],
] as const;

type Issued = { readonly token: string; readonly until: number };

/** Issues access tokens, each of which is shown once, and revokes all of them. */
export function Tokens({ user }: { readonly user: UserDetail }) {
  const [issued, setIssued] = useState<Issued>();
  const [isAsked, setAsked] = useState(false);
  const action = useAction(async (seconds: number) => {
    const { access_token: token, expires_in } = await client.issueToken(user.id, { expires_in: seconds });
    setIssued({ token, until: Date.now() + expires_in * 1000 });
  });
  const submit = submitting((form) => {
    void action.run(Number(form.get('lifetime')));
  });
  const canIssue = user.is_suspended !== true && user.is_trashed !== true;
  return (
    <section class="card" aria-label={t('tokens')}>
      <h2>{t('tokens')}</h2>
      <p class="soft">{t('tokensAbout')}</p>
      <Failure error={action.error} />
      <form class="filters" onSubmit={submit}>
        {canIssue && (
          <>
            <Choice
              label={t('lifetime')}
              name="lifetime"
              options={lifetimes.map(([seconds, words]) => [seconds, t(words)])}
            />
            <button type="submit" disabled={action.isRunning}>
              {t('issue')}
            </button>
          </>
        )}
        <button type="button" class="danger" onClick={() => setAsked(true)}>
          {t('revoke')}
        </button>
      </form>
      {issued !== undefined && (
        <ShownOnce
          title={t('tokenTitle')}
          text={t('tokenOnce', { time: formatTime(issued.until) })}
          secret={issued.token}
          copy={t('copyToken')}
          onClose={() => setIssued(undefined)}
        />
      )}
      {isAsked && (
        <Confirm
          title={t('revoke')}
          text={t('askRevoke', { name: user.display_name })}
          button={t('revoke')}
          isDangerous
          change={() => client.revokeTokens(user.id)}
          onClose={(isDone) => {
            setAsked(false);
            if (isDone) toast(t('revoked'));
          }}
        />
      )}
    </section>
  );
}
