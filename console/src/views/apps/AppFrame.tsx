import type { App } from 'confab-client';
import type { ComponentChildren } from 'preact';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { PageLink, pageOf } from '../../components/PageLink.tsx';
import { Tabs } from '../../components/Tabs.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery } from '../../data.ts';
import { mayCall } from '../../session.ts';
import { AppActions } from './AppActions.tsx';
import './apps.css';
import { accessName, t, typeName } from './messages.ts';

type FrameProps = {
  /** The id or uid of the app, from the address. */
  readonly app: string;
  readonly children: (app: App, canManage: boolean) => ComponentChildren;
};

/** What all views of one app share: its name, what it is, what can be done with it, and the way between the views. */
export function AppFrame({ app, children }: FrameProps) {
  const query = useQuery(`app ${app}`, (signal) => client.getApp(app, { trashed: true }, { signal }), {
    live: ['app_'],
  });
  const { data } = query;
  const canManage = mayCall('apps') && data?.permissions.includes('admin') === true;
  return (
    <Page
      title={data?.display_name ?? t('title')}
      actions={data !== undefined && canManage && <AppActions app={data} onChange={query.refresh} />}
    >
      <Loaded query={query} missing={missingWords('app', app)}>
        {(found) => (
          <>
            <About app={found} />
            <Tabs
              label={t('views')}
              views={[
                [`/apps/${app}`, t('content')],
                [`/apps/${app}/members`, t('members')],
                [`/apps/${app}/access`, t('explain')],
              ]}
            />
            {children(found, canManage)}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ app }: { readonly app: App }) {
  const { locked_at, approval, visitors } = app;
  const page = pageOf(app);
  return (
    <section class="card" aria-label={t('about')}>
      <dl class="facts">
        <Fact label={t('type')}>{typeName(app.type)}</Fact>
        <Fact label={t('uid')}>
          <code dir="auto">{app.uid}</code>
        </Fact>
        {page !== undefined && (
          <Fact label={t('page')}>
            <bdi>{page}</bdi>
            <PageLink address={page} />
          </Fact>
        )}
        <Fact label={t('access')}>{accessName(app.access)}</Fact>
        {approval !== undefined && (
          <Fact label={t('approval')}>{t(`approval_${approval}`, { count: app.approval_count ?? 1 })}</Fact>
        )}
        {visitors !== undefined && <Fact label={t('visitors')}>{t(`visitors_${visitors}`)}</Fact>}
        <Fact label={t('created')}>
          <Time at={app.created_at} isExact />, <bdi>{app.created_by.display_name}</bdi>
        </Fact>
        {(app.is_trashed || locked_at !== undefined) && (
          <Fact label={t('state')}>
            {app.is_trashed && <Badge tone="warn">{t('trashed')}</Badge>}{' '}
            {locked_at !== undefined && (
              <>
                <Badge>{t(new Date(locked_at).getTime() > Date.now() ? 'locksLater' : 'locked')}</Badge>{' '}
                <Time at={locked_at} />
              </>
            )}
          </Fact>
        )}
      </dl>
      {app.description !== undefined && <p dir="auto">{app.description}</p>}
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
