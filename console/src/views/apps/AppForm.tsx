import type { App } from 'confab-client';
import { client } from '../../api.ts';
import { Choice } from '../../components/Choice.tsx';
import { Dialog, FormEnd } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { useAction } from '../../data.ts';
import { navigate } from '../../router.ts';
import { accessLevels, accessName, approvals, appTypes, t, typeName, visitorLevels } from './messages.ts';

type AppFormProps = {
  /** The app that is edited; absent for a new one. */
  readonly app?: App;
  readonly onClose: (isDone: boolean) => void;
};

type Access = App['access'];
type Approval = NonNullable<App['approval']>;
type Visitors = NonNullable<App['visitors']>;

/** Whether an app can be open to people without an account: only comments are. */
function hasVisitors({ type }: App): boolean {
  return type === 'comments';
}

/** Asks what an app is called and who gets into it. */
export function AppForm({ app, onClose }: AppFormProps) {
  const action = useAction(async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const uid = text('uid');
    const access = text('access') as Access;
    const approval = text('approval') as Approval | '';
    const given = {
      access,
      name: text('name') || null,
      description: text('description') || null,
      approval: approval || null,
    };
    if (app !== undefined) {
      const visitors = (text('visitors') as Visitors | '') || null;
      const changed = {
        ...given,
        ...(uid === app.uid ? {} : { uid }),
        ...(hasVisitors(app) ? { visitors } : {}),
      };
      await client.updateApp(app.id, changed, { ifMatch: app });
      toast(t('saved'));
      return;
    }
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const made = await client.createApp({ uid, type: text('type'), ...set });
    navigate(`/apps/${made.id}`);
    toast(t('createDone'));
  });
  return (
    <Dialog title={t(app === undefined ? 'create' : 'edit')} onClose={() => onClose(false)}>
      <form
        onSubmit={submitting(async (form) => {
          if (await action.run(form)) onClose(true);
        })}
      >
        {app === undefined && (
          <Choice name="type" label={t('type')} options={appTypes.map((each) => [each, typeName(each)])} />
        )}
        <Field label={t('uid')} hint={t('uidHint')} error={action.errorOf('uid')}>
          {(attributes) => (
            <input
              {...attributes}
              name="uid"
              required
              maxLength={256}
              defaultValue={app?.uid}
              spellcheck={false}
            />
          )}
        </Field>
        <Field label={t('name')} error={action.errorOf('name')}>
          {(attributes) => (
            <input {...attributes} name="name" maxLength={256} dir="auto" defaultValue={app?.name} />
          )}
        </Field>
        <Field label={t('description')} error={action.errorOf('description')}>
          {(attributes) => (
            <textarea
              {...attributes}
              name="description"
              maxLength={4096}
              dir="auto"
              defaultValue={app?.description}
            />
          )}
        </Field>
        <Choice
          name="access"
          label={t('accessOthers')}
          value={app?.access}
          options={accessLevels.map((each) => [each, accessName(each)])}
        />
        <Choice
          name="approval"
          label={t('approval')}
          value={app?.approval}
          options={[
            ['', t('approvalNone')],
            ...approvals.map(
              (each) => [each, t(`approval_${each}`, { count: app?.approval_count ?? 1 })] as const,
            ),
          ]}
        />
        {app !== undefined && hasVisitors(app) && (
          <Choice
            name="visitors"
            label={t('visitors')}
            value={app.visitors}
            options={[
              ['', t('visitorsNone')],
              ...visitorLevels.map((each) => [each, t(`visitors_${each}`)] as const),
            ]}
          />
        )}
        <FormEnd
          action={action}
          button={t(app === undefined ? 'createButton' : 'save')}
          onCancel={() => onClose(false)}
        />
      </form>
    </Dialog>
  );
}
