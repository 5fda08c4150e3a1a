import type { Status } from 'confab-client';
import { client } from '../../api.ts';
import { Badge, type Tone } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { useQuery } from '../../data.ts';
import { formatBytes, formatNumber } from '../../i18n.ts';
import { hasKey } from '../../session.ts';
import { t } from './messages.ts';

/** Something that waits for the reader, with the view where it is dealt with. */
type Task = { readonly tone: Tone; readonly count?: number; readonly text: string; readonly to: string };

/** The most webhooks that are looked at. */
const webhooksMax = 100;
/** How late deliveries are overdue, in milliseconds. */
const overdueMs = 60_000;
/** From which size on the write-ahead log is long, in bytes: the size that the doctor warns of. */
const longLogBytes = 1024 ** 3;

async function readTasks(signal: AbortSignal): Promise<readonly Task[]> {
  const one = { state: 'open', top: 1 } as const;
  const [reported, held, webhooks] = await Promise.all([
    client.listReports({ ...one, held: false }, { signal }),
    client.listReports({ ...one, held: true }, { signal }),
    hasKey() ? client.listWebhooks({ top: webhooksMax, count: false }, { signal }) : { data: [] },
  ]);
  const paused = webhooks.data.filter(
    ({ is_enabled, breaker }) => is_enabled && breaker.state === 'open',
  ).length;
  const tasks = [
    taskOf('reports', reported.count ?? 0, '/moderation'),
    taskOf('held', held.count ?? 0, '/moderation?held=true'),
    { ...taskOf('paused', paused, '/webhooks'), tone: 'bad' as const },
  ];
  return tasks.filter(({ count }) => count > 0);
}

function taskOf(text: 'reports' | 'held' | 'paused', count: number, to: string) {
  return { tone: 'warn' as const, count, text: t(text, { count }), to };
}

/** The most refused origins that are named: any client can name any. */
const originsMax = 3;

function originTasks({ refused_origins: refused }: Status): Task[] {
  return refused.slice(0, originsMax).map(({ origin }) => ({
    tone: 'plain',
    text: origin === 'null' ? t('noOrigin') : t('refusedOrigin', { origin }),
    to: '/system/site',
  }));
}

/** What the checks of the server say that somebody should look at. */
function checkTasks({ checks }: Status): Task[] {
  return checks.flatMap(({ name, is_ok, figures }): Task[] => {
    if (!is_ok) return [{ tone: 'bad', text: t('failing', { name }), to: '/system' }];
    if (figures.is_late === true) return [{ tone: 'warn', text: t('lateBackup'), to: '/system/backups' }];
    const logBytes = Number(figures.log_bytes ?? 0);
    if (logBytes > longLogBytes)
      return [{ tone: 'warn', text: t('longLog', { size: formatBytes(logBytes) }), to: '/system' }];
    if (Number(figures.lag_ms ?? 0) > overdueMs)
      return [{ tone: 'warn', text: t('overdue'), to: '/webhooks' }];
    const parked = Number(figures.parked_events ?? 0);
    return parked === 0 ? [] : [{ tone: 'warn', text: t('parked', { count: parked }), to: '/system' }];
  });
}

/** What waits for the reader. */
export function Attention({ status }: { readonly status: Status | undefined }) {
  const query = useQuery('attention', readTasks, {
    live: ['report_', 'webhook_', 'comment_'],
    everyMs: overdueMs,
  });
  return (
    <>
      <h2>{t('attention')}</h2>
      <Loaded query={query}>
        {(found) => {
          const tasks = [
            ...(status === undefined ? [] : checkTasks(status)),
            ...found,
            ...(status === undefined ? [] : originTasks(status)),
          ];
          return tasks.length === 0 ? (
            <p class="card soft">{t('nothing')}</p>
          ) : (
            <ul class="cards tasks">
              {tasks.map((task) => (
                <li key={task.text} class={`card task ${task.tone}`}>
                  <Words {...task} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </>
  );
}

function Words({ tone, count, text, to }: Task) {
  return (
    <Link to={to}>
      {count === undefined ? <Badge tone={tone}>!</Badge> : <strong>{formatNumber(count)}</strong>}{' '}
      <span>{text}</span>
    </Link>
  );
}
