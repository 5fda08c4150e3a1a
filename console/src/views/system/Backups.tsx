import type { Backups as Found } from 'confab-client';
import { useState } from 'preact/hooks';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Copy } from '../../components/Copy.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { type Column, List } from '../../components/List.tsx';
import { Failure, Loaded } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { useAction, useQuery, wholeList } from '../../data.ts';
import { formatBytes, formatNumber } from '../../i18n.ts';
import { mayCall } from '../../session.ts';
import { useShortcuts } from '../../shortcuts.ts';
import { t } from './messages.ts';
import { SystemPage } from './SystemPage.tsx';

type Backup = Found['data'][number];
type Job = NonNullable<Found['job']>;

/** How often the list is read, in milliseconds: while something runs, and otherwise. */
const runningMs = 2000;
const restingMs = 60_000;

/** The backups at the place of the server: made, checked and taken away; and how one is restored. */
export function Backups() {
  const [isRunning, setRunning] = useState(false);
  const query = useQuery(
    'backups',
    async (signal) => {
      const found = await client.listBackups({ signal });
      setRunning(found.job?.state === 'running');
      return found;
    },
    { everyMs: isRunning ? runningMs : restingMs },
  );
  const action = useAction(async (begin: () => Promise<unknown>) => {
    await begin();
    query.refresh();
  });
  const { place } = query.data ?? {};
  const mayChange = mayCall('all') && place !== undefined;
  const isBusy = isRunning || action.isRunning;
  const create = () => void action.run(() => client.createBackup());
  useShortcuts(mayChange ? [{ keys: 'n', label: t('makeBackup'), run: create }] : []);
  return (
    <SystemPage
      actions={
        mayChange && (
          <button type="button" class="primary" disabled={isBusy} onClick={create}>
            {t('makeBackup')}
          </button>
        )
      }
    >
      <Failure error={action.error} />
      <Loaded query={query}>
        {(found) =>
          found.place === undefined ? (
            <NoPlace isPossible={found.is_possible} />
          ) : (
            <>
              <p>
                {t('backupPlace')} <code dir="ltr">{found.place}</code>
              </p>
              {found.failure !== undefined && <p class="wrong">{found.failure}</p>}
              {found.job !== undefined && <JobShown job={found.job} />}
              <Listed
                {...{ found, query, isBusy, mayChange, place: found.place }}
                verify={(id) => void action.run(() => client.verifyBackup(id))}
              />
            </>
          )
        }
      </Loaded>
    </SystemPage>
  );
}

function NoPlace({ isPossible }: { readonly isPossible: boolean }) {
  if (!isPossible)
    return (
      <p class="card">
        <a href="/docs/backups" target="_blank" rel="noreferrer">
          {t('noBackupsPostgres')}
        </a>
      </p>
    );
  return (
    <div class="card">
      <p>{t('noPlace')}</p>
      <pre dir="ltr">CONFAB_BACKUP_TO=/backups/confab</pre>
    </div>
  );
}

/** What runs, or how it ended. */
function JobShown({ job: { kind, state, id, started_at, finished_at, failure } }: { readonly job: Job }) {
  const tone = state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'plain';
  return (
    <div class="card" role="status">
      <p>
        <Badge tone={tone}>{t(`job_${state}`)}</Badge> {t(`job_${kind}`)}{' '}
        {id !== undefined && <code dir="ltr">{id}</code>}{' '}
        <span class="soft">
          <Time at={finished_at ?? started_at} />
        </span>
      </p>
      {failure !== undefined && (
        <p class="wrong" dir="auto">
          {failure}
        </p>
      )}
    </div>
  );
}

type ListedProps = {
  readonly found: Found;
  readonly place: string;
  readonly query: ReturnType<typeof useQuery<Found>>;
  readonly isBusy: boolean;
  readonly mayChange: boolean;
  readonly verify: (id: string) => void;
};

function Listed({ found, place, query, isBusy, mayChange, verify }: ListedProps) {
  const [restored, setRestored] = useState<string>();
  const { error, isLoading, refresh } = query;
  const changes: Column<Backup> = {
    label: t('change'),
    cell: ({ id, state }) =>
      state === 'whole' && (
        <span class="scopes">
          <button
            type="button"
            disabled={isBusy}
            aria-label={t('verifyName', { name: id })}
            onClick={() => verify(id)}
          >
            {t('verify')}
          </button>
          {/* The browser writes the archive to disk as it comes, however large it is. */}
          <a
            class="button"
            href={`/api/backups/${id}/archive`}
            download={`confab-${id}.tar`}
            aria-label={t('downloadName', { name: id })}
          >
            {t('download')}
          </a>
          <button type="button" aria-label={t('restoreName', { name: id })} onClick={() => setRestored(id)}>
            {t('restore')}
          </button>
        </span>
      ),
  };
  return (
    <>
      <List
        label={t('backups')}
        list={wholeList({ error, isLoading, refresh }, found.data, found.count)}
        columns={[...columns(), ...(mayChange ? [changes] : [])]}
        keyOf={({ id }) => id}
        empty={t('noBackups')}
      />
      {restored !== undefined && (
        <Restore place={place} id={restored} onClose={() => setRestored(undefined)} />
      )}
    </>
  );
}

function columns(): readonly Column<Backup>[] {
  return [
    {
      label: t('backup'),
      cell: ({ id, state, moment }) => (
        <>
          {moment === undefined ? <code dir="ltr">{id}</code> : <Time at={moment} />}{' '}
          {state !== 'whole' && (
            <Badge tone={state === 'damaged' ? 'bad' : 'warn'}>{t(`backup_${state}`)}</Badge>
          )}
        </>
      ),
    },
    {
      label: t('size'),
      cell: ({ bytes, blobs, blob_bytes }) =>
        bytes === undefined ? (
          '–'
        ) : (
          <>
            {formatBytes(bytes)}{' '}
            <span class="soft">
              {t('withBlobs', { blobs: formatNumber(blobs ?? 0), size: formatBytes(blob_bytes ?? 0) })}
            </span>
          </>
        ),
    },
    { label: t('backupKey'), cell: ({ key }) => (key === undefined ? '–' : t(`key_${keyWords[key]}`)) },
    { label: t('until'), cell: ({ until }) => <Time at={until} /> },
    { label: t('checked'), cell: ({ check }) => <Checked check={check} /> },
  ];
}

const keyWords = { sealed: 'sealed', 'left out': 'leftOut', 'not needed': 'notNeeded' } as const;

function Checked({ check }: { readonly check: Backup['check'] }) {
  if (check === undefined) return <span class="soft">{t('notChecked')}</span>;
  return (
    <>
      <Badge tone={check.is_whole ? 'good' : 'bad'}>{t(check.is_whole ? 'whole' : 'damaged')}</Badge>{' '}
      <Time at={check.at} />
      {check.faults.map((fault) => (
        <p key={fault} class="wrong" dir="auto">
          {fault}
        </p>
      ))}
    </>
  );
}

type RestoreProps = { readonly place: string; readonly id: string; readonly onClose: () => void };

/** How a backup is restored, which the server cannot do while it runs. */
function Restore({ place, id, onClose }: RestoreProps) {
  const command = `confab backup restore ${quoted(place)} --backup ${id} --to /var/lib/confab-restored`;
  return (
    <Dialog title={t('restoreTitle')} onClose={onClose}>
      <p>{t('restoreText')}</p>
      <pre dir="ltr" class="long-text">
        {command}
      </pre>
      <div class="buttons">
        <Copy text={command} label={t('copyCommand')} />
        <button type="button" class="primary" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}

/** A word for a shell. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
