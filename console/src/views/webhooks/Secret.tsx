import type { Webhook } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { submitting } from '../../components/submitting.ts';
import { useAction } from '../../data.ts';
import { formatTime } from '../../i18n.ts';
import { t } from './messages.ts';

/** Secrets of webhooks: shown once, and rotated with an overlap. */

type SecretShownProps = {
  readonly secret: string;
  /** When the one before ends. */
  readonly until?: string | undefined;
  readonly onClose: () => void;
};

/** Shows a secret that was just made. */
export function SecretShown({ secret, until, onClose }: SecretShownProps) {
  return (
    <ShownOnce
      title={t('secretNew')}
      text={t('secretOnce')}
      secret={secret}
      copy={t('copySecret')}
      onClose={onClose}
    >
      {until !== undefined && <p>{t('overlapUntil', { time: formatTime(until) })}</p>}
    </ShownOnce>
  );
}

const overlaps = [
  ['86400', 'overlapDay'],
  ['3600', 'overlapHour'],
  ['604800', 'overlapWeek'],
  ['0', 'overlapNone'],
] as const;

/** Gives a webhook another secret. */
export function RotateSecret({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}) {
  const [made, setMade] = useState<{ readonly secret: string; readonly until: string | undefined }>();
  const action = useAction(async (form: FormData) => {
    const own = String(form.get('secret') ?? '');
    const answer = await client.rotateWebhookSecret(webhook.id, {
      overlap_seconds: Number(form.get('overlap')),
      ...(own === '' ? {} : { secret: own }),
    });
    if (answer.secret === undefined) onClose();
    else setMade({ secret: answer.secret, until: answer.previous_secret_until });
  });
  if (made !== undefined) return <SecretShown {...made} onClose={onClose} />;
  return (
    <Dialog title={t('rotate')} onClose={onClose}>
      <form onSubmit={submitting(action.run)}>
        <p>{t('rotateText')}</p>
        <Choice
          label={t('overlap')}
          name="overlap"
          options={overlaps.map(([seconds, words]) => [seconds, t(words)])}
          hint={t('overlapHint')}
          error={action.errorOf('overlap_seconds')}
        />
        <Field label={t('secretOwn')} hint={t('secretOwnHint')} error={action.errorOf('secret')}>
          {(attributes) => (
            <input {...attributes} name="secret" maxLength={256} autoComplete="off" dir="ltr" />
          )}
        </Field>
        <FormEnd action={action} button={t('rotateNow')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
