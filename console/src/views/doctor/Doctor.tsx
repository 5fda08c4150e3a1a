import type { DoctorFinding, DoctorRun } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Confirm } from '../../components/Dialog.tsx';
import { Failure, Loaded } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { useAction, useQuery } from '../../data.ts';
import { withLocalTimes } from '../../i18n.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { SystemPage } from '../system/SystemPage.tsx';
import { checkName, t } from './messages.ts';

/** How often the run is read, in milliseconds: while it goes on, and otherwise. */
const runningMs = 2000;
const restingMs = 60_000;

/** The doctor: what the last examination found, how to mend it, and the way to begin one. */
export function Doctor() {
  const [isRunning, setRunning] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const query = useQuery(
    'doctor',
    async (signal) => {
      const run = await client.getDoctor({ signal });
      setRunning(run.state === 'running');
      return run;
    },
    { everyMs: isRunning ? runningMs : restingMs },
  );
  const action = useAction(async (begin: () => Promise<unknown>) => {
    await begin();
    query.refresh();
  });
  const isBusy = isRunning || action.isRunning;
  const mayChange = mayCall('all');
  const isFixable = query.data?.findings.some(({ is_fixable }) => is_fixable) === true;
  const examine = () => void action.run(() => client.runDoctor());
  useShortcuts(mayChange && !isBusy ? [{ keys: 'n', label: t('examine'), run: examine }] : []);
  return (
    <SystemPage
      actions={
        mayChange && (
          <span class="scopes">
            {isFixable && (
              <button type="button" disabled={isBusy} onClick={() => setAsking(true)}>
                {t('fix')}
              </button>
            )}
            <button type="button" class="primary" disabled={isBusy} onClick={examine}>
              {t('examine')}
            </button>
          </span>
        )
      }
    >
      <p class="soft">{t('about')}</p>
      <Failure error={action.error} />
      <Loaded query={query}>{(run) => <Run run={run} />}</Loaded>
      {isAsking && (
        <Confirm
          title={t('fix')}
          text={t('fixAsk')}
          button={t('fix')}
          change={() => client.fixWithDoctor()}
          onClose={(isDone) => {
            setAsking(false);
            if (isDone) query.refresh();
          }}
        />
      )}
    </SystemPage>
  );
}

/** A run: that it goes on, or what came of it. */
function Run({ run }: { readonly run: DoctorRun }) {
  const { findings, fixed, count } = run;
  const problems = findings.filter(({ level }) => level !== 'note');
  const notes = findings.filter(({ level }) => level === 'note');
  return (
    <>
      <Outcome run={run} />
      {fixed.length > 0 && (
        <>
          <h2>{t('fixed')}</h2>
          <ul class="cards">
            {fixed.map(({ check, what }) => (
              <li class="card" key={`${check} ${what}`}>
                <CheckHead check={check} level={undefined} />
                <p dir="auto">{withLocalTimes(what)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      <Findings title={t('findings')} findings={problems} />
      <Findings title={t('notesFound')} findings={notes} />
      {count > findings.length && <p class="soft">{t('onlyFirst')}</p>}
    </>
  );
}

type FindingsProps = { readonly title: string; readonly findings: readonly DoctorFinding[] };

function Findings({ title, findings }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="cards">
        {findings.map((finding) => (
          <Finding key={`${finding.check} ${finding.what}`} finding={finding} />
        ))}
      </ul>
    </>
  );
}

function Outcome({ run }: { readonly run: DoctorRun }) {
  const { state, is_fixing, host, started_at, finished_at, failure, is_healthy, count, findings } = run;
  // A note is about something else than a fault of this server.
  const notes = findings.filter(({ level }) => level === 'note').length;
  const problems = count - notes;
  if (state === 'never') return null;
  const about = (
    <span class="soft">
      <Time at={finished_at ?? started_at} /> <bdi>{t('on', { host: host ?? '' })}</bdi>
    </span>
  );
  return (
    <div class="card" role="status">
      {state === 'running' && (
        <p>
          <Badge tone="plain">{t(is_fixing === true ? 'fixing' : 'examining')}</Badge> {t('since')} {about}
        </p>
      )}
      {state === 'failed' && (
        <>
          <p>
            <Badge tone="bad">{t('failed')}</Badge> {about}
          </p>
          <p class="wrong" dir="auto">
            {failure}
          </p>
        </>
      )}
      {state === 'done' && (
        <p>
          {problems === 0 ? (
            <Badge tone="good">{t('healthy')}</Badge>
          ) : (
            <Badge tone={is_healthy === true ? 'warn' : 'bad'}>{t('wrong', { count: problems })}</Badge>
          )}{' '}
          {notes > 0 && <Badge>{t('notes', { count: notes })}</Badge>} {about}
        </p>
      )}
    </div>
  );
}

const tones = { error: 'bad', warning: 'warn', note: 'plain' } as const;

function Finding({ finding: { check, level, what, mend, is_fixable } }: { readonly finding: DoctorFinding }) {
  return (
    <li class="card">
      <CheckHead check={check} level={level} />
      <p dir="auto">{withLocalTimes(what)}</p>
      <p class="soft" dir="auto">
        {is_fixable ? t('fixableHere') : withLocalTimes(mend)}
      </p>
    </li>
  );
}

type CheckHeadProps = { readonly check: string; readonly level: DoctorFinding['level'] | undefined };

function CheckHead({ check, level }: CheckHeadProps) {
  return (
    <p class="check-head">
      <strong>{checkName(check)}</strong>
      {level !== undefined && <Badge tone={tones[level]}>{t(`level_${level}`)}</Badge>}
    </p>
  );
}
