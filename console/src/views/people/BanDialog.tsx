import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { useAction } from '../../data.ts';
import { t } from './messages.ts';

/** For how long an address can be banned, in seconds, with its name. */
const durations = [
  ['86400', 'day'],
  ['604800', 'week'],
  ['2592000', 'month'],
  ['3600', 'hour'],
] as const;

type BanDialogProps = {
  /** What is banned at first, as CIDR; the operator can change it. */
  readonly address?: string | undefined;
  readonly onClose: (isDone: boolean) => void;
};

/** Asks which address to ban, for how long and why. */
export function BanDialog({ address, onClose }: BanDialogProps) {
  const action = useAction(async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const reason = text('reason');
    await client.createBan({
      address: text('address'),
      seconds: Number(form.get('seconds')),
      ...(reason === '' ? {} : { reason }),
    });
    toast(t('banned'));
  });
  return (
    <Dialog title={t('banAddress')} onClose={() => onClose(false)}>
      <form
        onSubmit={submitting(async (form) => {
          if (await action.run(form)) onClose(true);
        })}
      >
        <p>{t('banAbout')}</p>
        <Field label={t('address')} hint={t('addressHint')} error={action.errorOf('address')}>
          {(attributes) => (
            <input
              {...attributes}
              name="address"
              required
              maxLength={64}
              dir="ltr"
              autoComplete="off"
              spellcheck={false}
              defaultValue={address}
            />
          )}
        </Field>
        <Choice
          label={t('duration')}
          name="seconds"
          options={durations.map(([seconds, words]) => [seconds, t(words)])}
          error={action.errorOf('seconds')}
        />
        <Field label={t('reason')} hint={t('reasonHint')} error={action.errorOf('reason')}>
          {(attributes) => <input {...attributes} name="reason" maxLength={1000} dir="auto" />}
        </Field>
        <FormEnd action={action} button={t('ban')} onCancel={() => onClose(false)} />
      </form>
    </Dialog>
  );
}
