import type { Status } from 'confab-client';
import type { ComponentChildren } from 'preact';
import { t } from '../messages.ts';
import { Badge } from './Badge.tsx';
import { Time } from './Time.tsx';

type NodeFactsProps = {
  readonly status: Status;
  /** What the facts are of, for readers of screens. */
  readonly label: string;
  /** Further facts. */
  readonly children?: ComponentChildren;
};

/** What the node that answers is: whether it is ready, its version, its store and since when it runs. */
export function NodeFacts({ status, label, children }: NodeFactsProps) {
  const { version, engine, started_at, is_ready } = status;
  return (
    <section class="card" aria-label={label}>
      <dl class="facts">
        <Fact name={t('state')}>
          <Badge tone={is_ready ? 'good' : 'bad'}>{t(is_ready ? 'ready' : 'notReady')}</Badge>
        </Fact>
        <Fact name={t('version')}>{version}</Fact>
        <Fact name={t('store')}>{engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</Fact>
        {children}
        <Fact name={t('started')}>
          <Time at={started_at} />
        </Fact>
      </dl>
    </section>
  );
}

/** One fact of a list with the class `facts`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
