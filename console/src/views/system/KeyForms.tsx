import type { ApiKey, NewApiKey } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Confirm, Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { useAction } from '../../data.ts';
import { formatTime } from '../../i18n.ts';
import { t } from './messages.ts';

/** Making, replacing and ending API keys. */

const dayMs = 86_400_000;

/** After how many days a new key ends. */
const lives = [
  ['30', 'days30'],
  ['90', 'days90'],
  ['365', 'days365'],
] as const;

const scopeNames = ['read', 'apps', 'users', 'webhooks', 'moderate'] as const;

/** The end that a form asks for; nothing where the server is to decide. */
function endOf(form: FormData): { readonly expires_at?: string } {
  const days = Number(form.get('days'));
  return days === 0 ? {} : { expires_at: new Date(Date.now() + days * dayMs).toISOString() };
}

type EndProps = { readonly first: string; readonly error: string | undefined };

function EndField({ first, error }: EndProps) {
  const options = [['0', first], ...lives.map(([days, words]) => [days, t(words)] as const)] as const;
  return <Choice label={t('ends')} name="days" options={options} error={error} />;
}

function KeyShown({ made, onClose }: { readonly made: NewApiKey; readonly onClose: () => void }) {
  return (
    <ShownOnce
      title={t('keyMade', { name: made.name })}
      text={t('keyOnce')}
      secret={made.key}
      copy={t('copyKey')}
      onClose={onClose}
    />
  );
}

/** Makes a key. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey>();
  const action = useAction(async (form: FormData) => {
    const scopes = form.getAll('scope') as (typeof scopeNames)[number][];
    setMade(await client.createKey({ name: String(form.get('name')), scopes, ...endOf(form) }));
  });
  if (made !== undefined) return <KeyShown made={made} onClose={onClose} />;
  return (
    <Dialog title={t('newKey')} onClose={onClose}>
      <form onSubmit={submitting(action.run)}>
        <Field label={t('keyName')} hint={t('keyNameHint')} error={action.errorOf('name')}>
          {(attributes) => (
            <input {...attributes} name="name" required maxLength={256} autoComplete="off" dir="auto" />
          )}
        </Field>
        <Scopes error={action.errorOf('scopes')} />
        <EndField first={t('never')} error={action.errorOf('expires_at')} />
        <FormEnd action={action} button={t('makeKey')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function Scopes({ error }: { readonly error: string | undefined }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <fieldset>
      <legend>{t('scopes')}</legend>
      {scopeNames.map((scope) => (
        <label key={scope} class="check">
          <input type="checkbox" name="scope" value={scope} disabled={isWhole} />
          <span>
            <code>{scope}</code> <span class="soft">{t(`scope_${scope}`)}</span>
          </span>
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          name="scope"
          value="all"
          checked={isWhole}
          onChange={(event) => setWhole(event.currentTarget.checked)}
        />
        <span>
          <code>all</code> <span class="soft">{t('scope_all')}</span>
        </span>
      </label>
      {error !== undefined && <p class="wrong">{error}</p>}
    </fieldset>
  );
}

const overlaps = [
  ['86400', 'overlapDay'],
  ['3600', 'overlapHour'],
  ['604800', 'overlapWeek'],
  ['0', 'overlapNone'],
] as const;

/** Makes a key in place of another one, which ends after a while. */
export function RotateKey({ before, onClose }: { readonly before: ApiKey; readonly onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey>();
  const action = useAction(async (form: FormData) => {
    const overlap_seconds = Number(form.get('overlap'));
    setMade(await client.rotateKey(before.id, { overlap_seconds, ...endOf(form) }));
  });
  if (made !== undefined) return <KeyShown made={made} onClose={onClose} />;
  const { expires_at: ends } = before;
  return (
    <Dialog title={t('rotateName', { name: before.name })} onClose={onClose}>
      <form onSubmit={submitting(action.run)}>
        <p>{t('rotateText')}</p>
        <Choice
          label={t('overlap')}
          name="overlap"
          options={overlaps.map(([seconds, words]) => [seconds, t(words)])}
          error={action.errorOf('overlap_seconds')}
        />
        <EndField
          first={ends === undefined ? t('never') : t('asBefore', { time: formatTime(ends) })}
          error={action.errorOf('expires_at')}
        />
        <FormEnd action={action} button={t('rotate')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type RevokeKeyProps = {
  readonly apiKey: ApiKey;
  /** The keys in force, to say when the last one that may do everything goes. */
  readonly inForce: readonly ApiKey[];
  readonly onClose: () => void;
};

/** Asks before a key ends, and says what ends with it. */
export function RevokeKey({ apiKey, inForce, onClose }: RevokeKeyProps) {
  const others = inForce.filter(({ id, scopes }) => id !== apiKey.id && scopes.includes('all'));
  const words = [
    t(apiKey.hint === '' ? 'askRevokeLinks' : 'askRevoke'),
    ...(apiKey.is_current === true ? [t('askRevokeYours')] : []),
    ...(apiKey.scopes.includes('all') && others.length === 0 ? [t('askRevokeLast')] : []),
  ];
  return (
    <Confirm
      title={t('revokeName', { name: apiKey.name })}
      text={words.join(' ')}
      button={t('revoke')}
      isDangerous
      change={() => client.revokeKey(apiKey.id)}
      onClose={(isDone) => {
        if (isDone) toast(t('revokeDone', { name: apiKey.name }));
        onClose();
      }}
    />
  );
}
