import type { ApiKey } from '../../../../client/index.js';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { type Column, Filter, List } from '../../components/List.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery } from '../../data.ts';
import { usePlace } from '../../router.ts';
import { t } from './messages.ts';
import { SystemPage } from './SystemPage.tsx';

/** The API keys: what each may do, until when, and when it was last used. */
export function Keys() {
  const { query } = usePlace();
  const { data = [], ...read } = useQuery('keys', (signal) => client.listKeys({ signal }));
  const state = query.get('state') ?? '';
  const items = data.filter((key) => state === 'all' || stateOf(key) === 'inForce');
  return (
    <SystemPage>
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
        list={{ ...read, items, count: items.length, hasMore: false, isStale: false, more: read.refresh }}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={t('noKeys')}
      />
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
