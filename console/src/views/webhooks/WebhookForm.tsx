import type { Webhook } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Field } from '../../components/Field.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure, Loaded, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { submitting } from '../../components/submitting.ts';
import { toast } from '../../components/Toasts.tsx';
import { useAction, useQuery } from '../../data.ts';
import { t as shell } from '../../messages.ts';
import { navigate, type Params } from '../../router.ts';
import { t } from './messages.ts';
import { SecretShown } from './Secret.tsx';
import { Triggers } from './Triggers.tsx';

/** Registers a webhook. */
export function NewWebhook() {
  const [made, setMade] = useState<{ readonly webhook: Webhook; readonly secret: string | undefined }>();
  const [triggers, setTriggers] = useState<readonly string[]>([]);
  const [signing, setSigning] = useState('generated');
  const action = useAction(async (form: FormData) => {
    const own = String(form.get('secret') ?? '');
    const secret = signing === 'generated' ? freshSecret() : signing === 'own' ? own : undefined;
    const body = { ...fieldsOf(form), triggers: [...triggers] };
    const webhook = await client.registerWebhook(secret === undefined ? body : { ...body, secret });
    setMade({ webhook, secret: signing === 'generated' ? secret : undefined });
    toast(t('created'));
    if (signing !== 'generated') navigate(`/webhooks/${webhook.id}`);
  });
  return (
    <Page title={t('new')}>
      <WebhookFields action={action} triggers={triggers} onTriggers={setTriggers} back="/webhooks">
        <Field label={t('signing')} hint={t('signingHint')}>
          {(attributes) => (
            <select
              {...attributes}
              value={signing}
              onChange={(event) => setSigning(event.currentTarget.value)}
            >
              <option value="generated">{t('signingGenerated')}</option>
              <option value="own">{t('signingOwn')}</option>
              <option value="none">{t('signingNone')}</option>
            </select>
          )}
        </Field>
        {signing === 'own' && (
          <Field label={t('secret')} hint={t('secretHint')} error={action.errorOf('secret')}>
            {(attributes) => (
              <input {...attributes} name="secret" required maxLength={256} autoComplete="off" dir="ltr" />
            )}
          </Field>
        )}
      </WebhookFields>
      {made?.secret !== undefined && (
        <SecretShown secret={made.secret} onClose={() => navigate(`/webhooks/${made.webhook.id}`)} />
      )}
    </Page>
  );
}

/** Changes a webhook. */
export function EditWebhook({ params }: { readonly params: Params }) {
  const id = Number(params.webhook);
  const query = useQuery(`webhook ${id}`, (signal) => client.getWebhook(id, { signal }));
  return (
    <Page title={t('edit')}>
      <Loaded query={query} missing={missingWords('webhook', params.webhook ?? '')}>
        {(webhook) => <EditFields key={webhook.id} webhook={webhook} />}
      </Loaded>
    </Page>
  );
}

function EditFields({ webhook }: { readonly webhook: Webhook }) {
  const [triggers, setTriggers] = useState<readonly string[]>(webhook.triggers);
  const action = useAction(async (form: FormData) => {
    await client.updateWebhook(webhook.id, { ...fieldsOf(form), triggers: [...triggers] });
    toast(t('saved'));
    navigate(`/webhooks/${webhook.id}`);
  });
  return (
    <WebhookFields
      action={action}
      webhook={webhook}
      triggers={triggers}
      onTriggers={setTriggers}
      back={`/webhooks/${webhook.id}`}
    />
  );
}

function fieldsOf(form: FormData) {
  return {
    payload_url: String(form.get('payload_url') ?? ''),
    enabled: form.has('enabled'),
    ordered: form.has('ordered'),
  };
}

/** 32 random bytes, as the server generates secrets. */
function freshSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

type WebhookFieldsProps = {
  readonly action: ReturnType<typeof useAction<[FormData]>>;
  /** The webhook as it is; absent for a new one. */
  readonly webhook?: Webhook;
  readonly triggers: readonly string[];
  readonly onTriggers: (triggers: readonly string[]) => void;
  /** Where one goes who does not save. */
  readonly back: string;
  readonly children?: preact.ComponentChildren;
};

function WebhookFields({ action, webhook, triggers, onTriggers, back, children }: WebhookFieldsProps) {
  return (
    <form class="webhook-form" onSubmit={submitting(action.run)}>
      <Field label={t('address')} hint={t('addressHint')} error={action.errorOf('payload_url')}>
        {(attributes) => (
          <input
            {...attributes}
            name="payload_url"
            type="url"
            required
            dir="ltr"
            placeholder="https://example.com/hooks/confab"
            defaultValue={webhook?.payload_url ?? ''}
          />
        )}
      </Field>
      <Triggers chosen={triggers} onChange={onTriggers} error={action.errorOf('triggers')} />
      {children}
      <label class="check">
        <input type="checkbox" name="enabled" defaultChecked={webhook?.is_enabled ?? true} />
        <span>
          {t('enabled')} <span class="soft">{t('enabledHint')}</span>
        </span>
      </label>
      <label class="check">
        <input type="checkbox" name="ordered" defaultChecked={webhook?.ordered ?? false} />
        <span>
          {t('ordered')} <span class="soft">{t('orderedHint')}</span>
        </span>
      </label>
      <Failure error={action.error} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={action.isRunning}>
          {webhook === undefined ? t('create') : t('save')}
        </button>
        <Link to={back} class="button">
          {shell('cancel')}
        </Link>
      </div>
    </form>
  );
}
