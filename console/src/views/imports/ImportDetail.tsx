import type { Import, ImportUndone } from 'confab-client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Confirm } from '../../components/Dialog.tsx';
import { Link } from '../../components/Link.tsx';
import { Failure, Loaded, missingWords } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { toast } from '../../components/Toasts.tsx';
import { useAction, useQuery } from '../../data.ts';
import type { Params } from '../../router.ts';
import { ImportState, isUnderWay } from './ImportState.tsx';
import { t } from './messages.ts';
import { Numbers, ofServer } from './Numbers.tsx';
import { Planned } from './Planned.tsx';
import { mayImport, mayTakeBack } from './rights.ts';

/** How often the progress is read, in milliseconds. */
const progressMs = 1000;

/** An import: its report, its progress, its result, and how to take it back. */
export function ImportDetail({ params }: { readonly params: Params }) {
  const id = Number(params.import);
  const [isRead, setRead] = useState(true);
  const query = useQuery(`import ${id}`, (signal) => client.getImport(id, { signal }), {
    live: ['import_'],
    ...(isRead ? { everyMs: progressMs } : {}),
  });
  const { data } = query;
  useEffect(() => setRead(data === undefined || isUnderWay(data)), [data]);
  return (
    <Page title={data?.name || t('import', { id: params.import ?? '' })}>
      <Loaded query={query} missing={missingWords('import', params.import ?? '')}>
        {(shown) => (
          <>
            <Progress shown={shown} onChange={query.refresh} />
            {shown.started_at !== undefined && <Result shown={shown} />}
            {shown.planned !== undefined && <Planned planned={shown.planned} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Shown = { readonly shown: Import };

/** Where the import is, and what can be done now. */
function Progress({ shown, onChange }: Shown & { readonly onChange: () => void }) {
  const [asked, setAsked] = useState<'stop' | 'undo'>();
  const run = useAction(async () => {
    await client.runImport(shown.id);
    toast(t('started'));
    onChange();
  });
  const isStoppable = ['reading', 'ready', 'running'].includes(shown.state);
  const isUndoable =
    shown.started_at !== undefined && ['running', 'finished', 'failed', 'stopped'].includes(shown.state);
  return (
    <section class="card" aria-label={t('progress')}>
      <p role="status">
        <ImportState state={shown.state} /> {t(`about_${shown.state}`)}
      </p>
      {shown.error !== undefined && (
        <p class="wrong" dir="auto">
          {shown.error}
        </p>
      )}
      {isUnderWay(shown) && <Bar shown={shown} />}
      <Facts shown={shown} />
      <Failure error={run.error} />
      <div class="buttons">
        {shown.state === 'ready' && mayImport() && (
          <button type="button" class="primary" disabled={run.isRunning} onClick={() => void run.run()}>
            {t('run')}
          </button>
        )}
        {isStoppable && mayImport() && (
          <button type="button" onClick={() => setAsked('stop')}>
            {t('stop')}
          </button>
        )}
        {isUndoable && mayTakeBack() && (
          <button type="button" class="danger" onClick={() => setAsked('undo')}>
            {t('undo')}
          </button>
        )}
        <Link to={`/events?entity=import:${shown.id}`} class="button">
          {t('log')}
        </Link>
      </div>
      {asked !== undefined && (
        <Confirm
          title={t(`${asked}Title`)}
          text={t(`${asked}About`)}
          button={t(asked)}
          isDangerous
          change={() => (asked === 'stop' ? client.stopImport(shown.id) : client.undoImport(shown.id))}
          onClose={(isDone) => {
            setAsked(undefined);
            if (!isDone) return;
            toast(t(asked === 'stop' ? 'stopped' : 'undoing'));
            onChange();
          }}
        />
      )}
    </section>
  );
}

/** How much is done of what there is to do, as far as that is known. */
function Bar({ shown: { state, planned, made, undone } }: Shown) {
  const { comments, restored, apps, users } = made;
  const sumOf = (counts: ImportUndone): number =>
    counts.comments +
    counts.apps +
    counts.users +
    (counts.posts ?? 0) +
    (counts.messages ?? 0) +
    (counts.files ?? 0);
  const [done, total] =
    state === 'undoing'
      ? [
          undone === undefined ? 0 : sumOf(undone),
          sumOf({ ...made, comments: comments + restored, apps, users }),
        ]
      : [comments + restored, (planned?.comments ?? 0) - (planned?.there_before ?? 0)];
  if (state === 'reading' || total <= 0) return <progress aria-label={t('progress')} />;
  return (
    <p>
      <progress aria-label={t('progress')} value={done} max={total} /> {t('done', { done, total })}
    </p>
  );
}

function Facts({ shown }: Shown) {
  const times = [
    ['created', shown.created_at],
    ['startedAt', shown.started_at],
    ['finishedAt', shown.finished_at],
    ['undoneAt', shown.undone_at],
  ] as const;
  return (
    <dl class="facts">
      <div>
        <dt>{t('kind')}</dt>
        <dd>{t(`kind_${shown.kind}`)}</dd>
      </div>
      {shown.planned !== undefined && (
        <div>
          <dt>{t('source')}</dt>
          <dd>
            <bdi>{shown.planned.source}</bdi>
          </dd>
        </div>
      )}
      {shown.site !== undefined && (
        <div>
          <dt>{t('site')}</dt>
          <dd>
            <bdi>{shown.site}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('emails')}</dt>
        <dd>{t(shown.keeps_emails ? 'emailsKept' : 'emailsLeft')}</dd>
      </div>
      <div>
        <dt>{t('replies')}</dt>
        <dd>{t(shown.replies === 'quote' ? 'repliesQuoted' : 'repliesThreaded')}</dd>
      </div>
      {times.map(
        ([name, at]) =>
          at !== undefined && (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd>
                <Time at={at} isExact />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** What the import has made, and what was taken back. */
function Result({ shown: { made, undone } }: Shown) {
  return (
    <>
      <Numbers
        title={t('result')}
        numbers={[
          [t('newComments'), made.comments],
          ...ofServer(made),
          [t('restored'), made.restored],
          [t('newApps'), made.apps],
          [t('newUsers'), made.users],
        ]}
      />
      {undone !== undefined && (
        <Numbers
          title={t('undone')}
          numbers={[
            [t('comments'), undone.comments],
            ...ofServer(undone),
            [t('apps'), undone.apps],
            [t('users'), undone.users],
          ]}
        />
      )}
    </>
  );
}
