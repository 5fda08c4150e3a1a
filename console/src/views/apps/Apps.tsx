import type { AppItem } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { type Column, Filter, List, Search } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { PageLink, pageOf } from '../../components/PageLink.tsx';
import { Time } from '../../components/Time.tsx';
import { Uid } from '../../components/Uid.tsx';
import { defined, usePages } from '../../data.ts';
import { usePlace } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { AppForm } from './AppForm.tsx';
import { accessName, appTypes, t, typeName } from './messages.ts';

const trashedValues = { '': false, trashed: true, both: null } as const;

/** The list of apps: find, filter, open. */
export function Apps() {
  const { query } = usePlace();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = mayCall('apps');
  useShortcuts(mayCreate ? [{ keys: 'n', label: t('new'), run: () => setCreating(true) }] : []);
  const type = query.get('type');
  const state = query.get('state') ?? '';
  const asked = {
    q: query.get('q') ?? undefined,
    type: type === null ? undefined : [type],
    trashed: trashedValues[state as keyof typeof trashedValues] ?? false,
    order_by: 'id desc' as const,
  };
  const list = usePages(`apps ${query}`, (signal) => client.listApps(defined(asked), { signal }), {
    live: ['app_'],
  });
  return (
    <Page
      title={t('title')}
      actions={
        mayCreate && (
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            {t('new')}
          </button>
        )
      }
    >
      {isCreating && <AppForm onClose={() => setCreating(false)} />}
      <search class="filters">
        <Search label={t('search')} />
        <Filter
          label={t('type')}
          name="type"
          options={[['', t('all')], ...appTypes.map((each) => [each, typeName(each)] as const)]}
        />
        <Filter
          label={t('state')}
          name="state"
          options={[
            ['', t('live')],
            ['trashed', t('trashed')],
            ['both', t('both')],
          ]}
        />
      </search>
      <List
        label={t('title')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        counted={list.items.every((app) => app.type === 'comments') ? 'pages' : 'apps'}
        empty={t(asked.q === undefined && type === null && state === '' ? 'empty' : 'noMatch')}
      />
    </Page>
  );
}

function columns(): readonly Column<AppItem>[] {
  return [
    {
      label: t('name'),
      isWide: true,
      cell: (app) => (
        <>
          <Link to={`/apps/${app.id}`}>
            <bdi>{app.display_name}</bdi>
          </Link>
          {pageOf(app) !== undefined && <PageLink address={pageOf(app) ?? ''} />}{' '}
          {app.is_trashed && <Badge tone="warn">{t('trashed')}</Badge>}
          {app.locked_at !== undefined && <Badge>{t('locked')}</Badge>}
          <Uid {...app} />
        </>
      ),
    },
    { label: t('type'), cell: (app) => typeName(app.type) },
    { label: t('access'), cell: (app) => accessName(app.access) },
    { label: t('created'), cell: (app) => <Time at={app.created_at} /> },
  ];
}
