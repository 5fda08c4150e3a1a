import type { Status } from 'confab-client';
import { client } from '../../api.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Fact, NodeFacts } from '../../components/NodeFacts.tsx';
import { Page } from '../../components/Page.tsx';
import { type Query, useQuery } from '../../data.ts';
import { formatBytes } from '../../i18n.ts';
import { hasKey, mayCall } from '../../session.ts';
import { Activity } from './Activity.tsx';
import { Attention } from './Attention.tsx';
import { t } from './messages.ts';
import { Newest } from './Newest.tsx';
import './overview.css';

/** How often the status is read, in milliseconds: its last minute grows. */
const statusMs = 10_000;

/** Whether the server is healthy, what waits for the reader, and what has gone on. */
export function Overview() {
  return (
    <Page title={t('title')}>
      {hasKey() && mayCall('read') ? (
        <Whole />
      ) : (
        <>
          <Attention status={undefined} />
          <Newest />
        </>
      )}
    </Page>
  );
}

/** The overview of those who watch over the server: an API key. */
function Whole() {
  const status = useQuery('status', (signal) => client.getStatus({ signal }), { everyMs: statusMs });
  return (
    <>
      <Attention status={status.data} />
      <Newest />
      <h2>{t('health')}</h2>
      <Health query={status} />
      {status.data !== undefined && <Activity status={status.data} />}
    </>
  );
}

function Health({ query }: { readonly query: Query<Status> }) {
  return (
    <Loaded query={query}>
      {(status) => (
        <NodeFacts status={status} label={t('health')}>
          <Fact name={t('disk')}>{formatBytes(figureOf(status.checks, 'disk', 'free_bytes'))}</Fact>
        </NodeFacts>
      )}
    </Loaded>
  );
}

/** A figure of a check as a number; 0 where there is none. */
function figureOf(checks: Status['checks'], check: string, figure: string): number {
  return Number(checks.find(({ name }) => name === check)?.figures[figure] ?? 0);
}
