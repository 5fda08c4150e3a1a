import type { Pages, ReportItem } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { beginningOf } from '../../beginning.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { type Column, Filter, List, Search } from '../../components/List.tsx';
import { Time } from '../../components/Time.tsx';
import { defined, type List as ListOf, usePages, useQuery } from '../../data.ts';
import { usePlace } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { Bulk } from './Bulk.tsx';
import './content.css';
import { AppName } from './AppName.tsx';
import { contentActions, type Item, type ItemQuery, type Kind } from './kinds.ts';
import { t } from './messages.ts';
import { keyOfRow, type Row, rowOfItem, rowOfReport } from './rows.ts';

type ItemsProps = {
  readonly kind: Kind;
  /** Names the list among what was read. */
  readonly name: string;
  readonly open: (query: ItemQuery, options: { readonly signal: AbortSignal }) => Pages<Item>;
  /** The app that all of them are in; absent for those of all apps. */
  readonly app?: string;
  /** The first in time come first, as one reads a conversation. */
  readonly isOldestFirst?: boolean;
  /** Only shown: nothing is filtered or changed. */
  readonly isPlain?: boolean;
};

const trashedValues = { '': false, trashed: true, both: null } as const;

/** A list of content: find, filter, open, and change several at once. */
export function Items({ kind, name, open, app, isOldestFirst, isPlain }: ItemsProps) {
  const { query } = usePlace();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const state = query.get('state') ?? '';
  const q = query.get('q') ?? undefined;
  const asked: ItemQuery = defined({
    q,
    trashed: trashedValues[state as keyof typeof trashedValues] ?? false,
    order_by: isOldestFirst === true ? ('id' as const) : ('id desc' as const),
    expand: ['created_by' as const],
    // Counting what has a very common word takes many times as long as finding the first of it.
    count: q === undefined ? undefined : false,
  });
  const list = usePages<Item | ReportItem>(
    `${name} ${q} ${state}`,
    (signal) =>
      state === 'held' && app !== undefined
        ? client.listReports({ app, held: true, state: 'open', expand: ['author'] }, { signal })
        : open(asked, { signal }),
    { live: contentActions },
  );
  const shown = useTotal(list, { key: `${name} ${q} ${state}`, isCounted: q === undefined, asked, open });
  const rows = list.items.map((item) => ('entity' in item ? rowOfReport(item) : rowOfItem(kind, item)));
  const toggle = (row: Row) => {
    const next = new Set(chosen);
    if (!next.delete(keyOfRow(row))) next.add(keyOfRow(row));
    setChosen(next);
  };
  const selection = {
    keys: chosen,
    toggle,
    nameOf: ({ beginning }: Row) => beginningOf(beginning, 60),
  };
  const mayChange = isPlain !== true && mayCall('moderate');
  return (
    <>
      {isOldestFirst !== true && isPlain !== true && <Filters hasHeld={app !== undefined} state={state} />}
      {app !== undefined && state === '' && isPlain !== true && <Held app={app} />}
      {mayChange && rows.length > 0 && (
        <Bulk
          rows={rows}
          chosen={chosen}
          choose={(keys) => setChosen(new Set(keys))}
          onChange={list.refresh}
        />
      )}
      <List
        label={t(kind)}
        list={{ ...shown, items: rows }}
        columns={columnsOf(app === undefined)}
        keyOf={keyOfRow}
        counted={kind}
        empty={t(q === undefined && state === '' ? 'empty' : 'noMatch')}
        {...(mayChange ? { selection } : {})}
      />
    </>
  );
}

type Counting = Pick<ItemsProps, 'open'> & {
  readonly key: string;
  /** Whether the pages of the list say how many there are. */
  readonly isCounted: boolean;
  readonly asked: ItemQuery;
};

/** A list with how many there are, which is counted beside it where its pages do not: the first is not kept waiting. */
function useTotal<T>(list: ListOf<T>, { key, isCounted, asked, open }: Counting): ListOf<T> {
  const { data } = useQuery(`total of ${key}`, async (signal) => {
    if (isCounted) return {};
    const { count } = await open({ ...asked, count: true, count_only: true }, { signal });
    return { count };
  });
  const total = data?.count;
  return isCounted || total === undefined ? list : { ...list, count: total, read: undefined };
}

/** Says what waits in an app, which its list leaves out: the first comment of a page may be all that there is. */
function Held({ app }: { readonly app: string }) {
  const asked = { app, held: true, state: 'open', top: 1 } as const;
  const { data } = useQuery(`held in ${app}`, (signal) => client.listReports(asked, { signal }), {
    live: contentActions,
  });
  const count = data?.count ?? 0;
  if (count === 0) return null;
  return (
    <p class="card">
      <Link to={`/apps/${app}?state=held`}>{t('waiting', { count })}</Link>
    </p>
  );
}

function Filters({ hasHeld, state }: { readonly hasHeld: boolean; readonly state: string }) {
  return (
    <search class="filters">
      {/* Held items come from the reports, which have no words. */}
      {state !== 'held' && <Search label={t('search')} />}
      <Filter
        label={t('state')}
        name="state"
        options={[
          ['', t('live')],
          ['trashed', t('trashed')],
          ['both', t('both')],
          ...(hasHeld ? ([['held', t('heldItems')]] as const) : []),
        ]}
      />
    </search>
  );
}

function columnsOf(hasApp: boolean): readonly Column<Row>[] {
  return [
    {
      label: t('content'),
      isWide: true,
      cell: (row) => (
        <>
          <Link to={`/content/${row.kind}/${row.id}`}>
            <bdi>{row.beginning === '' ? t('noText') : row.beginning}</bdi>
          </Link>{' '}
          <States {...row} />
        </>
      ),
    },
    {
      label: t('author'),
      cell: ({ author }) =>
        author !== undefined && (
          <Link to={`/people/${encodeURIComponent(author.uid)}`}>
            <bdi>{author.display_name}</bdi>
          </Link>
        ),
    },
    ...(hasApp
      ? [
          {
            label: t('inApp'),
            cell: ({ appId, kind, id }: Row) => (
              <AppName id={appId} at={kind === 'comments' ? id : undefined} />
            ),
          },
        ]
      : []),
    { label: t('written'), cell: ({ at }) => <Time at={at} /> },
  ];
}

/** The states of an item that are not the usual one. */
export function States({ is_trashed, is_held, lockedAt }: Pick<Row, 'is_trashed' | 'is_held' | 'lockedAt'>) {
  return (
    <>
      {is_trashed && <Badge tone="warn">{t('inTrash')}</Badge>}{' '}
      {is_held && <Badge tone="bad">{t('held')}</Badge>}{' '}
      {lockedAt !== undefined && (
        <Badge>{t(new Date(lockedAt).getTime() > Date.now() ? 'locksLater' : 'locked')}</Badge>
      )}
    </>
  );
}
