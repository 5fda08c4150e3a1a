import type { Status } from '../../../../client/index.js';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { type Query, useQuery } from '../../data.ts';
import { formatBytes } from '../../i18n.ts';
import { hasKey, mayCall } from '../../session.ts';
import { Activity } from './Activity.tsx';
import { Attention } from './Attention.tsx';
import { t } from './messages.ts';
import './overview.css';

/** How often the status is read, in milliseconds: its last minute grows. */
const statusMs = 10_000;

/** Whether the server is healthy, what waits for the reader, and what has gone on. */
export function Overview() {
  return (
    <Page title={t('title')}>
      {hasKey() && mayCall('read') ? <Whole /> : <Attention status={undefined} />}
    </Page>
  );
}

/** The overview of those who watch over the server: an API key. */
function Whole() {
  const status = useQuery('status', (signal) => client.getStatus({ signal }), { everyMs: statusMs });
  return (
    <>
      <Health query={status} />
      <Attention status={status.data} />
      {status.data !== undefined && <Activity minutes={status.data.minutes} />}
    </>
  );
}

function Health({ query }: { readonly query: Query<Status> }) {
  return (
    <Loaded query={query}>
      {({ version, engine, started_at, is_ready, checks }) => (
        <section class="card" aria-label={t('health')}>
          <dl class="facts">
            <div>
              <dt>{t('health')}</dt>
              <dd>
                <Badge tone={is_ready ? 'good' : 'bad'}>{is_ready ? t('ready') : t('notReady')}</Badge>
              </dd>
            </div>
            <div>
              <dt>{t('version')}</dt>
              <dd>{version}</dd>
            </div>
            <div>
              <dt>{t('store')}</dt>
              <dd>{engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</dd>
            </div>
            <div>
              <dt>{t('disk')}</dt>
              <dd>{formatBytes(figureOf(checks, 'disk', 'free_bytes'))}</dd>
            </div>
            <div>
              <dt>{t('started')}</dt>
              <dd>
                <Time at={started_at} />
              </dd>
            </div>
          </dl>
        </section>
      )}
    </Loaded>
  );
}

/** A figure of a check as a number; 0 where there is none. */
function figureOf(checks: Status['checks'], check: string, figure: string): number {
  return Number(checks.find(({ name }) => name === check)?.figures[figure] ?? 0);
}
