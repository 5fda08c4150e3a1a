import type { Attempt, Delivery } from 'confab-client';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure, Loaded, missingWords, Waiting } from '../../components/Loaded.tsx';
import { LongText } from '../../components/LongText.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction, usePages, useQuery } from '../../data.ts';
import { formatDuration, formatTime } from '../../i18n.ts';
import type { Params } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { t } from './messages.ts';
import { DeliveryState, errorWords, sendingMs } from './states.tsx';
import './webhooks.css';

/** One delivery: what became of it, and each attempt with its request and response. */
export function DeliveryDetail({ params }: { readonly params: Params }) {
  const webhook = Number(params.webhook);
  const id = Number(params.delivery);
  const query = useQuery(
    `delivery ${webhook} ${id}`,
    (signal) => client.getDelivery(webhook, id, { signal }),
    { everyMs: sendingMs },
  );
  const again = useAction(async () => {
    await client.redeliver(webhook, id);
    toast(t('redelivering'));
    query.refresh();
  });
  const mayChange = mayCall('webhooks') && query.data !== undefined;
  useShortcuts(mayChange ? [{ keys: 'r', label: t('redeliver'), run: () => void again.run() }] : []);
  return (
    <Page
      title={query.data === undefined ? t('delivery') : t('deliveryOf', { action: query.data.action })}
      actions={
        mayChange && (
          <button type="button" class="primary" disabled={again.isRunning} onClick={() => again.run()}>
            {t('redeliver')}
          </button>
        )
      }
    >
      <p>
        <Link to={`/webhooks/${webhook}`}>{t('backToWebhook')}</Link>
      </p>
      <Failure error={again.error} />
      <Loaded query={query} missing={missingWords('delivery', params.delivery ?? '')}>
        {(delivery) => (
          <>
            <About delivery={delivery} />
            <Attempts key={delivery.attempts} webhook={webhook} delivery={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ delivery }: { readonly delivery: Delivery }) {
  const { status, event_id, created_at, sequence, guid, next_attempt_at } = delivery;
  return (
    <section class="card" aria-label={t('aboutDelivery')}>
      <dl class="facts">
        <div>
          <dt>{t('state')}</dt>
          <dd>
            <DeliveryState status={status} />
          </dd>
        </div>
        <div>
          <dt>{t('happened')}</dt>
          <dd>
            <Time at={created_at} isExact />
          </dd>
        </div>
        {next_attempt_at !== undefined && (
          <div>
            <dt>{t('nextAttempt')}</dt>
            <dd>
              <Time at={next_attempt_at} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('event')}</dt>
          <dd>
            <Link to={`/events/${event_id}`}>{event_id}</Link>
          </dd>
        </div>
        {sequence !== undefined && (
          <div>
            <dt>{t('sequence')}</dt>
            <dd>{sequence}</dd>
          </div>
        )}
        <div>
          <dt>Guid</dt>
          <dd>
            <code dir="ltr">{guid}</code>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Attempts({ webhook, delivery }: { readonly webhook: number; readonly delivery: number }) {
  const list = usePages(`attempts ${webhook} ${delivery}`, (signal) =>
    client.listAttempts(webhook, delivery, { order_by: 'number desc' }, { signal }),
  );
  return (
    <>
      <h2>{t('attempts')}</h2>
      {list.items.map((attempt, index) => (
        <AttemptCard key={attempt.number} attempt={attempt} isOpen={index === 0} />
      ))}
      <Failure error={list.error} retry={list.refresh} />
      {list.isLoading && <Waiting />}
      {!list.isLoading && list.items.length === 0 && list.error === undefined && (
        <p class="empty">{t('noAttempts')}</p>
      )}
      {list.hasMore && !list.isLoading && (
        <button type="button" class="more" onClick={list.more}>
          {t('moreAttempts')}
        </button>
      )}
    </>
  );
}

function AttemptCard({ attempt, isOpen }: { readonly attempt: Attempt; readonly isOpen: boolean }) {
  const { number, started_at, duration, error, request, response } = attempt;
  const name = t('attempt', { number });
  return (
    <details class="card attempt" open={isOpen}>
      <summary>
        <strong>{name}</strong>
        <Badge tone={error === undefined ? 'good' : 'bad'}>
          {error === undefined ? t('answered', { status: response?.status_code ?? '' }) : errorWords(error)}
        </Badge>
        <span class="soft">
          {formatTime(started_at, { dateStyle: 'medium', timeStyle: 'medium' })} · {formatDuration(duration)}
        </span>
      </summary>
      <div class="exchange">
        <section aria-label={`${name}: ${t('request')}`}>
          <h3>{t('request')}</h3>
          {request.url !== undefined && (
            <p>
              <code dir="ltr">POST {request.url}</code>
            </p>
          )}
          <Headers name={`${name}, ${t('request')}`} headers={request.headers} />
          <LongText text={request.body} label={`${name}, ${t('request')}: ${t('body')}`} />
        </section>
        <section aria-label={`${name}: ${t('response')}`}>
          <h3>{t('response')}</h3>
          {response === undefined ? (
            <p class="soft">{t('noResponse')}</p>
          ) : (
            <>
              <p>
                <code dir="ltr">HTTP {response.status_code}</code>
              </p>
              <Headers name={`${name}, ${t('response')}`} headers={response.headers} />
              {response.body === undefined ? (
                <p class="soft">{t('noBody')}</p>
              ) : (
                <LongText text={response.body} label={`${name}, ${t('response')}: ${t('body')}`} />
              )}
              {response.is_truncated && <p class="soft">{t('truncated')}</p>}
              {!response.is_utf8 && <p class="soft">{t('notText')}</p>}
            </>
          )}
        </section>
      </div>
    </details>
  );
}

function Headers({ name, headers = {} }: { readonly name: string; readonly headers?: object | undefined }) {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  if (lines.length === 0) return <p class="soft">{t('noHeaders')}</p>;
  return <LongText text={lines.join('\n')} label={`${name}: ${t('headers')}`} />;
}
