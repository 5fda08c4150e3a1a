import type { AppMember } from '../../../../client/index.js';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { type Column, List, Search } from '../../components/List.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { defined, usePages, useQuery } from '../../data.ts';
import { usePlace } from '../../router.ts';
import type { Params } from '../../routes.ts';
import { accessName, t, typeName } from './messages.ts';

/** One app: what it is, and its members. */
export function AppDetail({ params }: { readonly params: Params }) {
  const app = params.app ?? '';
  const query = useQuery(`app ${app}`, (signal) => client.getApp(app, { trashed: true }, { signal }), {
    live: ['app_'],
  });
  return (
    <Page title={query.data?.display_name ?? t('title')}>
      <Loaded query={query}>
        {({ type, uid, access, description, created_at, is_trashed }) => (
          <section class="card" aria-label={t('about')}>
            <dl class="facts">
              <div>
                <dt>{t('type')}</dt>
                <dd>{typeName(type)}</dd>
              </div>
              <div>
                <dt>{t('uid')}</dt>
                <dd>
                  <code dir="auto">{uid}</code>
                </dd>
              </div>
              <div>
                <dt>{t('access')}</dt>
                <dd>{accessName(access)}</dd>
              </div>
              <div>
                <dt>{t('created')}</dt>
                <dd>
                  <Time at={created_at} isExact />
                </dd>
              </div>
              {is_trashed && (
                <div>
                  <dt>{t('state')}</dt>
                  <dd>
                    <Badge tone="warn">{t('trashed')}</Badge>
                  </dd>
                </div>
              )}
            </dl>
            {description !== undefined && <p dir="auto">{description}</p>}
          </section>
        )}
      </Loaded>
      <Members app={app} />
    </Page>
  );
}

function Members({ app }: { readonly app: string }) {
  const { query } = usePlace();
  const q = query.get('q') ?? undefined;
  const list = usePages(
    `members ${app} ${q}`,
    (signal) => client.listMembers(app, defined({ q }), { signal }),
    {
      live: ['member_'],
    },
  );
  return (
    <>
      <h2>{t('members')}</h2>
      <search class="filters">
        <Search label={t('findMember')} />
      </search>
      <List
        label={t('members')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={t('noMembers')}
      />
    </>
  );
}

function columns(): readonly Column<AppMember>[] {
  return [
    { label: t('name'), cell: ({ display_name }) => <bdi>{display_name}</bdi> },
    { label: t('uid'), cell: ({ uid }) => <code dir="auto">{uid}</code> },
    { label: t('role'), cell: ({ role }) => t(role ?? 'member') },
    { label: t('memberAccess'), cell: ({ access }) => t(access) },
  ];
}
