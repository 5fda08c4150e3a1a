import type { DeliveryItem, Webhook } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { type Column, Filter, List, type Selection } from '../../components/List.tsx';
import { TextFilter } from '../../components/TextFilter.tsx';
import { Time } from '../../components/Time.tsx';
import { TimeFilter } from '../../components/TimeFilter.tsx';
import { defined, usePages } from '../../data.ts';
import { formatDuration } from '../../i18n.ts';
import { setQuery, usePlace } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { t } from './messages.ts';
import { type Batch, Redelivery } from './Redelivery.tsx';
import { DeliveryState, deliveryTones, deliveryWord, sendingMs } from './states.tsx';

type Status = DeliveryItem['status'];

/** What the address filters the deliveries by. */
function filtersOf(query: URLSearchParams) {
  const event = query.get('event');
  return defined({
    status: (query.get('status') ?? undefined) as Status | undefined,
    action: query.get('action') ?? undefined,
    since: query.get('since') ?? undefined,
    until: query.get('until') ?? undefined,
    event_id: event === null ? undefined : Number(event),
  });
}

/** The deliveries of a webhook: find them, and have them sent again. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { id } = webhook;
  const { query } = usePlace();
  const filters = filtersOf(query);
  const list = usePages(
    `deliveries ${id} ${query}`,
    (signal) => client.listDeliveries(id, filters, { signal }),
    { everyMs: sendingMs },
  );
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [batch, setBatch] = useState<Batch>();
  const mayChange = mayCall('webhooks');
  const selection: Selection<DeliveryItem> = {
    keys: chosen,
    nameOf: ({ id: delivery, action }) => `${action} ${delivery}`,
    toggle: ({ id: delivery }) =>
      setChosen((keys) => {
        const next = new Set(keys);
        if (!next.delete(delivery)) next.add(delivery);
        return next;
      }),
  };
  const close = () => {
    setBatch(undefined);
    setChosen(new Set());
    list.refresh();
  };
  return (
    <>
      <h2>{t('deliveries')}</h2>
      <DeliveryFilters actions={[...new Set(list.items.map(({ action }) => action))]} />
      {mayChange && list.items.length > 0 && (
        <div class="buttons">
          {chosen.size > 0 ? (
            <button type="button" class="primary" onClick={() => setBatch(ofChosen(id, [...chosen]))}>
              {t('redeliverChosen', { count: chosen.size })}
            </button>
          ) : (
            <button type="button" onClick={() => setBatch(ofFilters(id, filters, list.count))}>
              {t('redeliverAll')}
            </button>
          )}
        </div>
      )}
      <List
        label={t('deliveries')}
        list={list}
        columns={columns(id)}
        keyOf={({ id: delivery }) => delivery}
        empty={query.size === 0 ? t('noDeliveries') : t('noDeliveryMatches')}
        selection={mayChange ? selection : undefined}
      />
      {batch !== undefined && <Redelivery batch={batch} onClose={close} />}
    </>
  );
}

function ofChosen(webhook: number, deliveries: readonly number[]): Batch {
  return {
    total: deliveries.length,
    send: async (index = 0) => {
      const delivery = deliveries[index];
      if (delivery !== undefined) await client.redeliver(webhook, delivery);
      return { done: 1, next: index + 1 < deliveries.length ? index + 1 : undefined };
    },
  };
}

/** How many deliveries one request sends again: so few that the progress is seen. */
const batchMax = 200;

function ofFilters(webhook: number, filters: ReturnType<typeof filtersOf>, total: number | undefined): Batch {
  // The operation wants a filter; the beginning of time is one that everything passes.
  const given = Object.keys(filters).length === 0 ? { since: new Date(0).toISOString() } : filters;
  return {
    total,
    send: async (after) => {
      const { redelivered, next } = await client.redeliverMany(
        webhook,
        defined({ ...given, limit: batchMax, after }),
      );
      return { done: redelivered, next };
    },
  };
}

function DeliveryFilters({ actions }: { readonly actions: readonly string[] }) {
  const { query } = usePlace();
  const event = query.get('event');
  return (
    <search class="filters">
      <Filter
        label={t('state')}
        name="status"
        options={[
          ['', t('all')],
          ...(Object.keys(deliveryTones) as Status[]).map((each) => [each, deliveryWord(each)] as const),
        ]}
      />
      <TextFilter label={t('action')} name="action" placeholder="comment_created" suggestions={actions} />
      <TimeFilter label={t('since')} name="since" />
      <TimeFilter label={t('until')} name="until" />
      {event !== null && (
        <button type="button" onClick={() => setQuery({ event: undefined })}>
          {t('onlyEvent', { event })} ×
        </button>
      )}
    </search>
  );
}

function columns(webhook: number): readonly Column<DeliveryItem>[] {
  return [
    {
      label: t('action'),
      cell: ({ id, action }) => (
        <Link to={`/webhooks/${webhook}/deliveries/${id}`}>
          <code>{action}</code>
        </Link>
      ),
    },
    { label: t('state'), cell: ({ status }) => <DeliveryState status={status} /> },
    { label: t('happened'), cell: ({ created_at }) => <Time at={created_at} /> },
    { label: t('attempts'), cell: ({ attempts }) => attempts, isNumber: true },
    { label: t('answer'), cell: ({ status_code }) => status_code ?? '–', isNumber: true },
    {
      label: t('duration'),
      cell: ({ duration }) => (duration === undefined ? '–' : formatDuration(duration)),
      isNumber: true,
    },
    { label: t('nextAttempt'), cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
  ];
}
