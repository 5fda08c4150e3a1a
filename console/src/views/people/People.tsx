import type { Directory, ListedUser } from 'confab-client';
import { client } from '../../api.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Link } from '../../components/Link.tsx';
import { type Column, Filter, List, Search } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { Uid } from '../../components/Uid.tsx';
import { defined, usePages, useQuery } from '../../data.ts';
import { formatNumber } from '../../i18n.ts';
import { setQuery, usePlace } from '../../router.ts';
import { hasKey } from '../../session.ts';
import { t } from './messages.ts';
import './people.css';
import { States } from './States.tsx';

const states = {
  '': {},
  suspended: { suspended: true },
  trashed: { suspended: null, trashed: true },
  all: { suspended: null, trashed: null },
} as const;

const orders = { '': 'id desc', name: 'display_name' } as const;
/** The most directories to choose from; with more, an address can name another one. */
const directoriesMax = 100;

/** The list of people: find, filter, open. */
export function People() {
  const { query } = usePlace();
  const directories = useQuery('directories', async (signal) => {
    const asked = { top: directoriesMax, order_by: 'name', count: false } as const;
    const { data } = await client.listDirectories(asked, { signal });
    return data;
  });
  const directory = Number(query.get('directory') ?? 0);
  const asked = {
    q: query.get('q') ?? undefined,
    directory_id: directory === 0 ? undefined : directory,
    order_by: orders[(query.get('order') ?? '') as keyof typeof orders],
    way: query.get('way') ?? undefined,
    expand: hasKey() ? ['visitor' as const] : undefined,
    ...states[(query.get('state') ?? '') as keyof typeof states],
  };
  const list = usePages(`people ${query}`, (signal) => client.listUsers(defined(asked), { signal }), {
    live: ['user_'],
  });
  return (
    <Page title={t('title')} actions={hasKey() && <Link to="/moderation/bans">{t('bans')}</Link>}>
      <Filters directories={directories.data ?? []} />
      <List
        label={t('title')}
        list={list}
        columns={columns(directories.data ?? [])}
        keyOf={({ id }) => id}
        counted="users"
        empty={t('empty')}
      />
      {hasKey() && !query.has('state') && asked.q !== undefined && list.count === 0 && (
        <div class="buttons">
          <button type="button" onClick={() => setQuery({ state: 'all' })}>
            {t('lookEverywhere')}
          </button>
        </div>
      )}
    </Page>
  );
}

function Filters({ directories }: { readonly directories: readonly Directory[] }) {
  return (
    <search class="filters">
      <Search label={t('search')} />
      {hasKey() && (
        <Filter
          label={t('state')}
          name="state"
          options={[
            ['', t('inUse')],
            ['suspended', t('suspended')],
            ['trashed', t('trashed')],
            ['all', t('all')],
          ]}
        />
      )}
      {hasKey() && (
        <Filter
          label={t('signsIn')}
          name="way"
          options={[
            ['', t('everybody')],
            ['none', t('ofProduct')],
            ['visitor', t('visitors')],
            ['guest', t('guest')],
            ['email', t('byEmail')],
          ]}
        />
      )}
      {hasKey() && directories.length > 0 && (
        <Filter
          label={t('directory')}
          name="directory"
          options={[['', t('all')], ...directories.map(({ id, name }) => [String(id), name] as const)]}
        />
      )}
      <Filter
        label={t('order')}
        name="order"
        options={[
          ['', t('newest')],
          ['name', t('byName')],
        ]}
      />
    </search>
  );
}

function columns(directories: readonly Directory[]): readonly Column<ListedUser>[] {
  const nameOf = (id: number) => directories.find((each) => each.id === id)?.name ?? id;
  const forKeys: readonly Column<ListedUser>[] = [
    { label: t('email'), cell: ({ email }) => email !== undefined && <bdi>{email}</bdi> },
    { label: t('directory'), cell: ({ directory_id: id }) => id !== undefined && <bdi>{nameOf(id)}</bdi> },
    {
      label: t('approved'),
      isNumber: true,
      cell: ({ visitor }) => visitor !== undefined && formatNumber(visitor.approved_count),
    },
    { label: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return [
    {
      label: t('name'),
      isWide: true,
      cell: (user) => (
        <div class="named">
          <Avatar user={user} />
          <div>
            <Link to={`/people/${encodeURIComponent(user.uid)}`}>
              <bdi>{user.display_name}</bdi>
            </Link>{' '}
            <States user={user} />
            <Uid {...user} />
          </div>
        </div>
      ),
    },
    ...(hasKey() ? forKeys : []),
  ];
}
