import type { ReportItem } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { More } from '../../components/List.tsx';
import { Failure, Loaded, missingWords, Waiting } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { type List, useQuery } from '../../data.ts';
import { t as shell } from '../../messages.ts';
import { usePlace } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { t } from './messages.ts';
import { Together } from './Together.tsx';
import { decisionName, heldWords, kindName, reasonWords } from './words.ts';

type QueueProps = {
  readonly list: List<ReportItem>;
  readonly chosen: number;
  /** Called with what was decided in the queue itself. */
  readonly onDecided: (items: readonly ReportItem[]) => void;
};

/** The items that wait, or that were decided, each a link that opens it. Those that wait can be decided several at once. */
export function Queue({ list, chosen, onDecided }: QueueProps) {
  const { items, error, isLoading, isStale, hasMore, refresh, more } = list;
  const { query } = usePlace();
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const canMark = !query.has('state') && mayCall('moderate');
  const toggle = (id: number) => {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
  };
  return (
    <section class="queue-list" aria-label={t('queue')}>
      <p class="list-head soft" role="status">
        {list.count !== undefined && shell('count', { count: list.count })}
        {isStale && (
          <button type="button" class="link" onClick={refresh}>
            {shell('changed')}
          </button>
        )}
      </p>
      {canMark && items.length > 0 && (
        <Together {...{ items, marked, onDecided }} mark={(ids) => setMarked(new Set(ids))} />
      )}
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            {canMark && (
              <label class="mark">
                <input
                  type="checkbox"
                  aria-label={shell('chooseItem', { name: wordsOf(item) })}
                  checked={marked.has(item.id)}
                  onChange={() => toggle(item.id)}
                />
              </label>
            )}
            <Row item={item} isChosen={item.id === chosen} />
          </li>
        ))}
      </ul>
      {error !== undefined && <Failure error={error} retry={items.length === 0 ? refresh : more} />}
      {items.length === 0 && !isLoading && !hasMore && error === undefined && (
        <Empty app={query.get('app')} />
      )}
      {isLoading && <Waiting />}
      {hasMore && !isLoading && error === undefined && <More key={items.length} more={more} />}
    </section>
  );
}

/** How an item begins, or what it is. */
function wordsOf({ snapshot, entity }: ReportItem): string {
  return snapshot?.text ?? snapshot?.name ?? kindName(entity.type);
}

/** Says that there is nothing to review, or that the app does not exist which the queue is filtered by. */
function Empty({ app }: { readonly app: string | null }) {
  return app === null ? <p class="empty">{t('empty')}</p> : <EmptyOf key={app} app={app} />;
}

function EmptyOf({ app }: { readonly app: string }) {
  const query = useQuery(`app ${app}`, (signal) => client.getApp(app, { trashed: true }, { signal }));
  return (
    <Loaded query={query} missing={missingWords('app', app)}>
      {() => <p class="empty">{t('empty')}</p>}
    </Loaded>
  );
}

function Row({ item, isChosen }: { readonly item: ReportItem; readonly isChosen: boolean }) {
  const { query } = usePlace();
  const next = new URLSearchParams(query);
  next.set('report', String(item.id));
  const { author, app, held, reasons, state, action } = item;
  return (
    <Link to={`/moderation?${next}`} isCurrent={isChosen}>
      <span class="queue-text" dir="auto">
        {wordsOf(item)}
      </span>
      <span class="queue-about">
        <span class="soft">
          <bdi>{author?.display_name}</bdi> · <Time at={item.reported_at} /> · <bdi>{app.display_name}</bdi>
        </span>
        <span class="badges">
          {state === 'resolved' && action !== undefined && <Badge>{decisionName(action)}</Badge>}
          {held !== undefined && <Badge tone="warn">{heldWords(held)}</Badge>}
          {reasons.map((each) => (
            <Badge key={each.reason} tone="bad">
              {reasonWords(each)}
            </Badge>
          ))}
        </span>
      </span>
    </Link>
  );
}
