import type { Webhook } from 'confab-client';
import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { type Column, List, Search } from '../../components/List.tsx';
import { Page } from '../../components/Page.tsx';
import { defined, usePages } from '../../data.ts';
import { navigate, usePlace } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { t, triggerNames } from './messages.ts';
import { WebhookState } from './states.tsx';
import './webhooks.css';

/** The list of webhooks, each with its state. */
export function Webhooks() {
  const q = usePlace().query.get('q') ?? undefined;
  const list = usePages(`webhooks ${q}`, (signal) => client.listWebhooks(defined({ q }), { signal }), {
    live: ['webhook_'],
  });
  const mayChange = mayCall('webhooks');
  useShortcuts(mayChange ? [{ keys: 'n', label: t('new'), run: () => navigate('/webhooks/new') }] : []);
  return (
    <Page
      title={t('title')}
      actions={
        mayChange && (
          <Link to="/webhooks/new" class="button primary">
            {t('new')}
          </Link>
        )
      }
    >
      <search class="filters">
        <Search label={t('search')} />
      </search>
      <List
        label={t('title')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={q === undefined ? t('none') : t('noneMatch')}
      />
    </Page>
  );
}

function columns(): readonly Column<Webhook>[] {
  return [
    {
      label: t('address'),
      cell: ({ id, payload_url }) => (
        <Link to={`/webhooks/${id}`} class="webhook-address">
          <bdi>{payload_url}</bdi>
        </Link>
      ),
    },
    { label: t('state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    { label: t('triggers'), cell: ({ triggers }) => triggerNames(triggers) },
  ];
}
