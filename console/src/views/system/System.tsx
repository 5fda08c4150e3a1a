import type { StatusCheck } from 'confab-client';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { NodeFacts } from '../../components/NodeFacts.tsx';
import { useQuery } from '../../data.ts';
import { formatBytes, formatDuration, formatNumber, withLocalTimes } from '../../i18n.ts';
import { checkName, t } from './messages.ts';
import './system.css';
import { SystemPage } from './SystemPage.tsx';

const everyMs = 10_000;

/** The node that answers: what it is, and what its checks find. */
export function System() {
  const query = useQuery('system', (signal) => client.getStatus({ signal }), { everyMs });
  return (
    <SystemPage>
      <Loaded query={query}>
        {(status) => (
          <>
            <NodeFacts status={status} label={t('node')} />
            <h2>{t('checks')}</h2>
            <ul class="cards">
              {status.checks.map((check) => (
                <Check key={check.name} check={check} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </SystemPage>
  );
}

function Check({ check: { name, is_ok, figures } }: { readonly check: StatusCheck }) {
  return (
    <li class="card">
      <p class="check-head">
        <strong>{checkName(name)}</strong>
        <Badge tone={is_ok ? 'good' : 'bad'}>{t(is_ok ? 'ok' : 'notOk')}</Badge>
      </p>
      <dl class="figures">
        {Object.entries(figures).map(([figure, value]) => (
          <div key={figure}>
            <dt>{figureName(figure)}</dt>
            <dd dir="auto">{figureOf(figure, value)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** The name of a figure; one that this console does not know stands as the interface calls it, which any release may add. */
function figureName(figure: string) {
  const key = `figure_${figure}` as 'figure_last';
  const words = t(key);
  return words === key ? <code dir="ltr">{figure}</code> : words;
}

/** A figure in the unit that its name ends with. */
function figureOf(name: string, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value !== 'number') return value === 'never' ? t('never') : withLocalTimes(String(value));
  if (/(?:^|_)bytes(?:_|$)/.test(name)) return formatBytes(value);
  if (name.endsWith('_ms')) return formatDuration(value / 1000);
  return formatNumber(value);
}
