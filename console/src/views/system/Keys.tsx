import type { ApiKey } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { type Column, Filter, List } from '../../components/List.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery, wholeList } from '../../data.ts';
import { usePlace } from '../../router.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { NewKey, RevokeKey, RotateKey } from './KeyForms.tsx';
import { t } from './messages.ts';
import { SystemPage } from './SystemPage.tsx';

type Asked = { readonly what: 'new' } | { readonly what: 'rotate' | 'revoke'; readonly key: ApiKey };

/** The API keys: what each may do, until when, and when it was last used. A key without limits makes and ends them. */
export function Keys() {
  const { query } = usePlace();
  const { data = [], ...read } = useQuery('keys', (signal) => client.listKeys({ signal }));
  const [asked, setAsked] = useState<Asked>();
  const state = query.get('state') ?? '';
  const inForce = data.filter((key) => stateOf(key) === 'inForce');
  const items = state === 'all' ? data : inForce;
  const mayChange = mayCall('all');
  const close = () => {
    setAsked(undefined);
    read.refresh();
  };
  const ask = () => setAsked({ what: 'new' });
  useShortcuts(mayChange ? [{ keys: 'n', label: t('newKey'), run: ask }] : []);
  return (
    <SystemPage
      actions={
        mayChange && (
          <button type="button" class="primary" onClick={ask}>
            {t('newKey')}
          </button>
        )
      }
    >
      <div class="filters">
        <Filter
          label={t('state')}
          name="state"
          options={[
            ['', t('inForce')],
            ['all', t('all')],
          ]}
        />
      </div>
      <List
        label={t('keys')}
        list={wholeList(read, items)}
        columns={[...columns(), ...(mayChange ? [changes(setAsked)] : [])]}
        keyOf={({ id }) => id}
        empty={t('noKeys')}
      />
      {asked?.what === 'new' && <NewKey onClose={close} />}
      {asked?.what === 'rotate' && <RotateKey before={asked.key} onClose={close} />}
      {asked?.what === 'revoke' && <RevokeKey apiKey={asked.key} inForce={inForce} onClose={close} />}
    </SystemPage>
  );
}

function stateOf({ revoked_at, expires_at }: ApiKey): 'inForce' | 'revoked' | 'ended' {
  if (revoked_at !== undefined) return 'revoked';
  return expires_at !== undefined && new Date(expires_at).getTime() <= Date.now() ? 'ended' : 'inForce';
}

function columns(): readonly Column<ApiKey>[] {
  return [
    {
      label: t('name'),
      cell: (key) => (
        <>
          <bdi>{key.name}</bdi> {/* That of the links has no secret that anyone knows. */}
          {key.hint !== '' && <code dir="ltr">…{key.hint}</code>}{' '}
          {key.is_current === true && <Badge tone="good">{t('yours')}</Badge>}
          {stateOf(key) !== 'inForce' && <Badge tone="warn">{t(stateOf(key))}</Badge>}
        </>
      ),
    },
    { label: t('id'), cell: ({ id }) => <code>{id}</code> },
    {
      label: t('scopes'),
      cell: ({ scopes }) => (
        <span class="scopes">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      ),
    },
    { label: t('made'), cell: ({ created_at }) => <Time at={created_at} /> },
    { label: t('used'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    { label: t('ends'), cell: ({ expires_at }) => <Time at={expires_at} /> },
  ];
}

function changes(ask: (asked: Asked) => void): Column<ApiKey> {
  return {
    label: t('change'),
    cell: (key) =>
      stateOf(key) === 'inForce' && (
        <span class="scopes">
          {key.hint !== '' && (
            <button
              type="button"
              aria-label={t('rotateName', { name: key.name })}
              onClick={() => ask({ what: 'rotate', key })}
            >
              {t('rotate')}
            </button>
          )}
          <button
            type="button"
            class="danger"
            aria-label={t('revokeName', { name: key.name })}
            onClick={() => ask({ what: 'revoke', key })}
          >
            {t('revoke')}
          </button>
        </span>
      ),
  };
}
