import type { ReportItem } from 'confab-client';
import { useId, useRef, useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Fold } from '../../components/Fold.tsx';
import { Link } from '../../components/Link.tsx';
import { Filter } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { Suggested } from '../../components/Suggested.tsx';
import { defined, type List, usePages } from '../../data.ts';
import { setQuery, usePlace } from '../../router.ts';
import { hasKey } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { t } from './messages.ts';
import './moderation.css';
import { NewComments } from './NewComments.tsx';
import { Queue } from './Queue.tsx';
import { ReportDetail } from './ReportDetail.tsx';
import { reasonName } from './words.ts';

const states = { '': 'open', resolved: 'resolved', both: undefined } as const;
const heldValues = { false: false, true: true } as const;
const reasons = ['spam', 'abuse', 'illegal', 'off_topic', 'other', 'rule'] as const;
/** How long typing pauses before the queue is filtered, in milliseconds. */
const typingMs = 250;

/** A report as it stands: one that opens again is another one. */
function standing({ id, reported_at }: { readonly id: number; readonly reported_at: string }): string {
  return `${id} ${reported_at}`;
}

function useQueue(): List<ReportItem> {
  const { query } = usePlace();
  const asked = {
    state: states[(query.get('state') ?? '') as keyof typeof states],
    held: heldValues[(query.get('held') ?? '') as keyof typeof heldValues],
    reason: reasons.find((each) => each === query.get('reason')),
    app: query.get('app') ?? undefined,
    expand: ['author' as const],
  };
  const live = ['report_', 'comment_', 'post_', 'message_', 'file_'].flatMap((kind) =>
    kind === 'report_' ? [kind] : [`${kind}held`, `${kind}approved`],
  );
  return usePages(
    `reports ${JSON.stringify(asked)}`,
    (signal) => client.listReports(defined(asked), { signal }),
    {
      live,
    },
  );
}

/**
 * The only item of a queue, which needs no choice where it stands beside the list; 0 where there is a choice. Where it would
 * replace the list, or keys would decide on what is not seen, it is not opened.
 */
function onlyOne({ items, hasMore, isLoading }: List<ReportItem>): number {
  const isBeside = !matchMedia('(max-width: 60rem)').matches;
  return isBeside && items.length === 1 && !hasMore && !isLoading ? (items[0]?.id ?? 0) : 0;
}

/** The queue of reported and held items, and the one that is chosen. */
export function Moderation() {
  const { query } = usePlace();
  const list = useQueue();
  // What was decided here leaves an open queue at once, also where the list is not read again.
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const isOpenQueue = !query.has('state');
  const items = list.items.filter((item) => !isOpenQueue || !decided.has(standing(item)));
  const opened = Number(query.get('report') ?? 0);
  const chosen = opened === 0 ? onlyOne({ ...list, items }) : opened;
  const choose = (item: ReportItem | undefined) =>
    setQuery({ report: item === undefined ? undefined : String(item.id) });
  const step = (by: 1 | -1) => {
    const index = items.findIndex(({ id }) => id === chosen);
    const next = items[index === -1 ? 0 : index + by];
    if (next !== undefined) choose(next);
    else if (by === 1) list.more();
  };
  useShortcuts([
    { keys: 'j', label: t('keyNext'), run: () => step(1) },
    { keys: 'k', label: t('keyPrevious'), run: () => step(-1) },
  ]);
  const onDecided = (report: { readonly id: number; readonly reported_at: string }) => {
    const index = items.findIndex(({ id }) => id === report.id);
    setDecided(new Set([...decided, standing(report)]));
    if (isOpenQueue) choose(items[index + 1] ?? items[index - 1]);
  };
  const onDecidedTogether = (reports: readonly ReportItem[]) => {
    setDecided(new Set([...decided, ...reports.map(standing)]));
    if (reports.some(({ id }) => id === chosen)) choose(undefined);
    list.refresh();
  };
  return (
    <Page title={t('title')} actions={hasKey() && <Link to="/moderation/rules">{t('rules')}</Link>}>
      <div class={opened === 0 ? 'queue' : 'queue has-chosen'}>
        <Filters />
        {!hasKey() && <NewComments />}
        <Queue list={{ ...list, items }} chosen={chosen} onDecided={onDecidedTogether} />
        <section class="queue-detail" aria-label={t('chosenItem')}>
          {chosen === 0 ? (
            <p class="empty">{t(items.length === 0 ? 'noneHint' : 'chooseHint')}</p>
          ) : (
            <ReportDetail key={chosen} id={chosen} onDecided={onDecided} />
          )}
        </section>
      </div>
    </Page>
  );
}

const stateWords = { '': 'open', resolved: 'resolved', both: 'all' } as const;
const heldWords = { '': 'all', false: 'onlyReported', true: 'onlyHeld' } as const;

function Filters() {
  const { query } = usePlace();
  const state = (query.get('state') ?? '') as keyof typeof stateWords;
  const held = (query.get('held') ?? '') as keyof typeof heldWords;
  const reason = reasons.find((each) => each === query.get('reason'));
  const chosen = [
    t(stateWords[state] ?? 'open'),
    ...(held in heldWords && held !== '' ? [t(heldWords[held])] : []),
    ...(reason === undefined ? [] : [reasonName(reason)]),
    query.get('app') ?? t('anyApp'),
  ];
  return (
    <Fold label={t('filters')} chosen={chosen}>
      <Filter
        label={t('state')}
        name="state"
        options={Object.entries(stateWords).map(([value, words]) => [value, t(words)] as const)}
      />
      <Filter
        label={t('kind')}
        name="held"
        options={(['', 'false', 'true'] as const).map((value) => [value, t(heldWords[value])] as const)}
      />
      <Filter
        label={t('reason')}
        name="reason"
        options={[['', t('all')], ...reasons.map((each) => [each, reasonName(each)] as const)]}
      />
      <AppFilter />
    </Fold>
  );
}

function AppFilter() {
  const { query } = usePlace();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const id = useId();
  const type = (app: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ app: app.trim() }), typingMs);
  };
  return (
    <div class="filter">
      <label for={id}>{t('app')}</label>
      <Suggested
        id={id}
        from="apps"
        placeholder={t('anyApp')}
        defaultValue={query.get('app') ?? ''}
        onType={type}
      />
    </div>
  );
}
