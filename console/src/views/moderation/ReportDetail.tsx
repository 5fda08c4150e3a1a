import type { Report } from 'confab-client';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../../api.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Loaded, missingWords } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery } from '../../data.ts';
import { setQuery } from '../../router.ts';
import { AppName } from '../content/AppName.tsx';
import { kindOf } from '../content/kinds.ts';
import { Choices } from './Choices.tsx';
import { Context } from './Context.tsx';
import { Earlier } from './Earlier.tsx';
import { ItemShown } from './ItemShown.tsx';
import { readItem, standingOf } from './items.ts';
import { t } from './messages.ts';
import { decisionName, heldWords, kindName, reasonName, reasonWords } from './words.ts';

type Props = {
  readonly id: number;
  /** Called after a decision on the report. */
  readonly onDecided: (report: Report) => void;
};

/** A report: the item as users see it, why it is here, where it belongs, and what can be done. */
export function ReportDetail({ id, onDecided }: Props) {
  const query = useQuery(`report ${id}`, (signal) => client.getReport(id, { signal }), { live: ['report_'] });
  return (
    <>
      <button type="button" class="queue-back link" onClick={() => setQuery({ report: undefined })}>
        {t('backToQueue')}
      </button>
      <Loaded query={query} missing={missingWords('report', id)}>
        {(report) => <Opened report={report} onDecided={onDecided} onMoved={query.refresh} />}
      </Loaded>
    </>
  );
}

type OpenedProps = {
  readonly report: Report;
  readonly onDecided: (report: Report) => void;
  readonly onMoved: () => void;
};

function Opened({ report, onDecided, onMoved }: OpenedProps) {
  const { entity, state, held } = report;
  const item = useQuery(`${entity.type} ${entity.id}`, (signal) => readItem(entity, signal));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that was pressed for the item before is gone.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const isDeleted = report.action === 'delete';
  const standing = item.error === undefined ? standingOf(item.data) : 'gone';
  return (
    <article>
      {/* What is decided on stands first; what it is and whose it is, readers of screens hear before it. */}
      <h2 class="unseen" ref={heading} tabIndex={-1}>
        {t('itemBy', { kind: kindName(entity.type), name: report.author.display_name })}
      </h2>
      {isDeleted ? <p class="empty">{t('deleted')}</p> : <ItemShown query={item} report={report} />}
      <Author report={report} />
      <p class="badges">
        {state === 'resolved' && report.action !== undefined && <Badge>{decisionName(report.action)}</Badge>}
        {held !== undefined && <Badge tone="warn">{heldWords(held)}</Badge>}
        {standing === 'trashed' && <Badge tone="warn">{t('inTrash')}</Badge>}
      </p>
      <Complaints report={report} />
      <Decision report={report} />
      {!isDeleted && (
        <>
          {item.data !== undefined && <Context item={item.data} report={report} />}
          {item.data !== undefined && <Earlier entity={entity} item={item.data} />}
          {(item.data !== undefined || item.error !== undefined) && (
            <Choices
              report={report}
              standing={standing}
              onDecided={() => onDecided(report)}
              onMoved={() => {
                onMoved();
                item.refresh();
              }}
            />
          )}
        </>
      )}
    </article>
  );
}

function Author({ report }: { readonly report: Report }) {
  const { author, snapshot, entity } = report;
  const itemKind = kindOf(entity.type) ?? 'comments';
  return (
    <div class="by">
      <Avatar user={author} />
      <p>
        <Link to={`/people/${encodeURIComponent(author.uid)}`}>
          <strong>
            <bdi>{author.display_name}</bdi>
          </strong>
        </Link>{' '}
        {author.is_bot && <Badge>{t('bot')}</Badge>}{' '}
        {author.is_suspended === true && <Badge tone="bad">{t('isSuspended')}</Badge>}{' '}
        {snapshot !== undefined && (
          <>
            ·{' '}
            <Link to={`/content/${itemKind}/${entity.id}`}>
              <Time at={snapshot.created_at} />
            </Link>
          </>
        )}{' '}
        · <AppName id={report.app_id} at={itemKind === 'comments' ? entity.id : undefined} />
        <br />
        <span class="soft">
          {author.uid !== author.display_name && <code dir="auto">{author.uid}</code>}
          {author.created_at !== undefined && (
            <>
              {' '}
              {t('userSince')} <Time at={author.created_at} />
            </>
          )}
        </span>
      </p>
    </div>
  );
}

/** What users said about the item. */
function Complaints({ report }: { readonly report: Report }) {
  const { report_count: count, reasons, texts } = report;
  if (count === 0) return null;
  return (
    <section aria-label={t('reports')}>
      <h3>{t('reportedBy', { count })}</h3>
      <p class="badges">
        {reasons.map((each) => (
          <Badge key={each.reason} tone="bad">
            {reasonWords(each)}
          </Badge>
        ))}
      </p>
      <ul class="texts">
        {texts
          .filter(({ text }) => text !== '')
          .map((each) => (
            <li key={`${each.created_by_id} ${each.created_at}`}>
              <q dir="auto">{each.text}</q>{' '}
              <span class="soft">
                {reasonName(each.reason)} · <Time at={each.created_at} />
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Who decided, and what they noted. */
function Decision({ report }: { readonly report: Report }) {
  const { action, resolved_by: by, resolved_at: at, note } = report;
  if (report.state === 'open' || action === undefined) return null;
  return (
    <p>
      {decisionName(action)} · {by !== undefined && <bdi>{by.display_name}</bdi>} · <Time at={at} />
      {note !== undefined && (
        <>
          {' '}
          <q dir="auto">{note}</q>
        </>
      )}
    </p>
  );
}
