import type { DeliveryItem, Webhook } from 'confab-client';
import { client } from '../../api.ts';
import { Copy } from '../../components/Copy.tsx';
import { Link } from '../../components/Link.tsx';
import { Loaded, Missing } from '../../components/Loaded.tsx';
import { LongText } from '../../components/LongText.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery } from '../../data.ts';
import type { Params } from '../../router.ts';
import { hasKey } from '../../session.ts';
import { DeliveryState } from '../webhooks/states.tsx';
import { Who } from './Events.tsx';
import { appOf, subjectsOf } from './filters.ts';
import { type Event, readEvent } from './log.ts';
import { t } from './messages.ts';
import './events.css';

/** One event in full, with where to follow it: what it is about, its deliveries, the log around it. */
export function EventDetail({ params }: { readonly params: Params }) {
  const position = Number(params.event);
  const query = useQuery(`event ${position}`, async (signal) => ({
    event: await readEvent(position, signal),
  }));
  return (
    <Page title={query.data?.event?.action ?? t('event')}>
      <Loaded query={query}>
        {({ event }) =>
          event === undefined ? (
            <Missing words={t('gone', { id: params.event ?? '' })} />
          ) : (
            <>
              <Facts event={event} />
              {hasKey() && <Deliveries event={event.id} />}
              <h2>{t('full')}</h2>
              <LongText text={JSON.stringify(event)} label={t('full')} />
              <div class="buttons">
                <Copy text={JSON.stringify(event, null, 2)} />
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Facts({ event }: { readonly event: Event }) {
  const app = appOf(event);
  const keyId = event.actor.api_key_id;
  return (
    <section class="card" aria-label={t('facts')}>
      <dl class="facts">
        <div>
          <dt>{t('who')}</dt>
          <dd>
            <Who event={event} /> {keyId !== undefined && <span class="soft">{t('key', { id: keyId })}</span>}
          </dd>
        </div>
        <div>
          <dt>{t('when')}</dt>
          <dd>
            <Time at={event.timestamp} isExact />
          </dd>
        </div>
        <div>
          <dt>{t('position')}</dt>
          <dd>
            {event.position} <Link to={`/events?at=${event.position}`}>{t('around')}</Link>
          </dd>
        </div>
        <div>
          <dt>{t('follow')}</dt>
          <dd class="follow">
            {subjectsOf(event).map(({ type, id }) => (
              <Link key={`${type}:${id}`} to={`/events?entity=${type}:${id}`}>
                {type} {id}
              </Link>
            ))}
          </dd>
        </div>
        {app !== undefined && (
          <div>
            <dt>{t('app')}</dt>
            <dd class="follow">
              <Link to={`/apps/${app}`}>{t('openApp', { id: app })}</Link>
              <Link to={`/events?app=${app}`}>{t('inApp')}</Link>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

type Sent = { readonly webhook: Webhook; readonly delivery: DeliveryItem };

function Deliveries({ event }: { readonly event: number }) {
  const query = useQuery(`deliveries of event ${event}`, (signal) => readDeliveries(event, signal));
  return (
    <>
      <h2>{t('deliveries')}</h2>
      <Loaded query={query}>
        {(sent) =>
          sent.length === 0 ? (
            <p class="soft">{t('noDeliveries')}</p>
          ) : (
            <ul class="cards">
              {sent.map(({ webhook, delivery }) => (
                <li key={delivery.id} class="card">
                  <Link to={`/webhooks/${webhook.id}/deliveries/${delivery.id}`}>
                    <bdi>{webhook.payload_url}</bdi>
                  </Link>
                  <p>
                    <DeliveryState status={delivery.status} /> <Time at={delivery.delivered_at} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

async function readDeliveries(event: number, signal: AbortSignal): Promise<Sent[]> {
  const { data } = await client.listWebhooks({ top: 100, count: false }, { signal });
  const sent = await Promise.all(
    data.map(async (webhook) => {
      const query = { event_id: event, top: 1, count: false } as const;
      const [delivery] = (await client.listDeliveries(webhook.id, query, { signal })).data;
      return delivery === undefined ? [] : [{ webhook, delivery }];
    }),
  );
  return sent.flat();
}
