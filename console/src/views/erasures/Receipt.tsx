import type { Erasure, ErasureCounts } from 'confab-client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Copy } from '../../components/Copy.tsx';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery } from '../../data.ts';
import { formatNumber } from '../../i18n.ts';
import type { Params } from '../../router.ts';
import { t } from './messages.ts';
import './erasures.css';

/** How often the progress is read, in milliseconds. */
const progressMs = 1000;

/** The receipt of an erasure, and how far it is while it runs. */
export function Receipt({ params }: { readonly params: Params }) {
  const id = Number(params.erasure);
  const [isRunning, setRunning] = useState(true);
  const query = useQuery(
    `erasure ${id}`,
    (signal) => client.getErasure(id, { signal }),
    isRunning ? { everyMs: progressMs } : {},
  );
  const isFinished = query.data?.state === 'finished';
  useEffect(() => setRunning(!isFinished), [isFinished]);
  return (
    <Page title={t('receipt', { id: params.erasure ?? '' })}>
      <Loaded query={query} missing={missingWords('erasure', params.erasure ?? '')}>
        {(erasure) => (
          <>
            <State erasure={erasure} />
            <Counts counts={erasure.counts} />
            {erasure.signature !== undefined && <Signature text={erasure.signature} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function State({ erasure }: { readonly erasure: Erasure }) {
  const isFinished = erasure.state === 'finished';
  return (
    <section class="card" aria-label={t('progress')}>
      <p role="status">
        <Badge tone={isFinished ? 'good' : 'warn'}>{t(erasure.state)}</Badge>{' '}
        {erasure.part !== undefined && t('part', { part: erasure.part })}
      </p>
      {!isFinished && <progress aria-label={t('progress')} />}
      <dl class="facts">
        <div>
          <dt>{t('userId')}</dt>
          <dd>{erasure.user_id}</dd>
        </div>
        <div>
          <dt>{t('content')}</dt>
          <dd>{t(erasure.content === 'keep' ? 'wereKept' : 'wereRemoved')}</dd>
        </div>
        <div>
          <dt>{t('requested')}</dt>
          <dd>
            <Time at={erasure.requested_at} isExact />
          </dd>
        </div>
        {erasure.finished_at !== undefined && (
          <div>
            <dt>{t('finishedAt')}</dt>
            <dd>
              <Time at={erasure.finished_at} isExact />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Counts({ counts }: { readonly counts: ErasureCounts }) {
  const all = Object.entries(counts) as [keyof ErasureCounts, number][];
  const found = all.filter(([, count]) => count > 0);
  return (
    <section class="table" aria-label={t('counts')}>
      <table>
        <caption>{t('counts')}</caption>
        <tbody>
          {found.map(([kind, count]) => (
            <tr key={kind}>
              <th scope="row">{t(`erased_${kind}`)}</th>
              <td class="number">{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">{t(found.length === 0 ? 'nothingYet' : 'nothingElse')}</p>
    </section>
  );
}

function Signature({ text }: { readonly text: string }) {
  return (
    <section class="card" aria-label={t('signature')}>
      <h2>{t('signature')}</h2>
      <p class="soft">{t('signatureAbout')}</p>
      <code dir="ltr">{text}</code>
      <div class="buttons">
        <Copy text={text} />
      </div>
    </section>
  );
}
