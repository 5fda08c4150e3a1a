import type { WebhookDetail as Detail, Webhook } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure, Loaded, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction, useQuery } from '../../data.ts';
import { formatTime } from '../../i18n.ts';
import { navigate, type Params } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { Deliveries } from './Deliveries.tsx';
import { t, triggerNames } from './messages.ts';
import { RotateSecret } from './Secret.tsx';
import { sendingMs, WebhookState } from './states.tsx';
import './webhooks.css';

/** One webhook: its state, what can be done with it, and its deliveries. */
export function WebhookDetail({ params }: { readonly params: Params }) {
  const id = Number(params.webhook);
  const query = useQuery(`webhook ${id}`, (signal) => client.getWebhook(id, { signal }), {
    live: ['webhook_'],
    everyMs: sendingMs,
  });
  return (
    <Page title={query.data?.payload_url ?? t('title')}>
      <Loaded query={query} missing={missingWords('webhook', params.webhook ?? '')}>
        {(webhook) => (
          <>
            <About webhook={webhook} />
            {mayCall('webhooks') && <Work webhook={webhook} onChange={query.refresh} />}
            <Deliveries webhook={webhook} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ webhook }: { readonly webhook: Detail }) {
  const { previous_secret_until: until } = webhook;
  return (
    <section class="card" aria-label={t('about')}>
      <dl class="facts">
        <div>
          <dt>{t('state')}</dt>
          <dd>
            <WebhookState webhook={webhook} />
          </dd>
        </div>
        <div>
          <dt>{t('triggers')}</dt>
          <dd>{triggerNames(webhook.triggers)}</dd>
        </div>
        <div>
          <dt>{t('order')}</dt>
          <dd>{webhook.ordered ? t('orderedYes') : t('orderedNo')}</dd>
        </div>
        <div>
          <dt>{t('history')}</dt>
          <dd>
            <Link to={`/events?entity=webhook:${webhook.id}`}>{t('historyText')}</Link>
          </dd>
        </div>
        {until !== undefined && (
          <div>
            <dt>{t('secret')}</dt>
            <dd>{t('overlapUntil', { time: formatTime(until) })}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Work({ webhook, onChange }: { readonly webhook: Webhook; readonly onChange: () => void }) {
  const { id, is_enabled: isEnabled } = webhook;
  const [open, setOpen] = useState<'rotate' | 'delete'>();
  const ping = useAction(async () => {
    await client.pingWebhook(id);
    toast(t('pinged'));
    onChange();
  });
  const switching = useAction(async () => {
    await client.updateWebhook(id, { enabled: !isEnabled });
    const undo = () => client.updateWebhook(id, { enabled: isEnabled });
    toast(isEnabled ? t('switchedOff') : t('switchedOn'), { undo });
    onChange();
  });
  const isPaused = isEnabled && webhook.breaker.state === 'open';
  useShortcuts([
    { keys: 'p', label: t('ping'), run: () => void ping.run() },
    { keys: 'e', label: t('edit'), run: () => navigate(`/webhooks/${id}/edit`) },
  ]);
  return (
    <>
      <div class="buttons">
        <button
          type="button"
          class={isPaused ? 'primary' : ''}
          disabled={ping.isRunning}
          onClick={() => ping.run()}
        >
          {isPaused ? t('tryNow') : t('ping')}
        </button>
        <button
          type="button"
          class={isEnabled ? '' : 'primary'}
          disabled={switching.isRunning}
          onClick={() => switching.run()}
        >
          {isEnabled ? t('switchOff') : t('switchOn')}
        </button>
        <Link to={`/webhooks/${id}/edit`} class="button">
          {t('edit')}
        </Link>
        <button type="button" onClick={() => setOpen('rotate')}>
          {t('rotate')}
        </button>
        <Link to={`/webhooks/${id}/code`} class="button">
          {t('code')}
        </Link>
        <button type="button" class="danger" onClick={() => setOpen('delete')}>
          {t('delete')}
        </button>
      </div>
      <Failure error={ping.error ?? switching.error} />
      {isPaused && <p class="soft">{t('tryNowHint')}</p>}
      {open === 'rotate' && <RotateSecret webhook={webhook} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title={t('deleteTitle')}
          text={t('deleteText', { address: webhook.payload_url })}
          button={t('delete')}
          isDangerous
          change={() => client.deleteWebhook(id)}
          onClose={(isDone) => {
            setOpen(undefined);
            if (!isDone) return;
            toast(t('deleted'));
            navigate('/webhooks', { isReplaced: true });
          }}
        />
      )}
    </>
  );
}
