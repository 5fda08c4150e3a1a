import type { ReportItem, User } from 'confab-client';
import { client } from '../../api.ts';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { type Column, List } from '../../components/List.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { usePages, useQuery } from '../../data.ts';
import { Lines, lineOf } from '../content/Lines.tsx';
import { decisionName, heldWords, kindName, reasonWords } from '../moderation/words.ts';
import { t } from './messages.ts';

/** How many of the newest comments are shown here; the others are in the list of content. */
const shownMax = 20;

/** What a person has written lately, what was reported or held of it, and how moderators have decided. */
export function Written({ user }: { readonly user: User }) {
  return (
    <>
      <Reports user={user} />
      <Comments user={user} />
    </>
  );
}

function Reports({ user: { id } }: { readonly user: User }) {
  const list = usePages<ReportItem>(
    `reports of ${id}`,
    (signal) => client.listReports({ author_id: id, expand: ['resolved_by'] }, { signal }),
    { live: ['report_'] },
  );
  return (
    <>
      <h2>{t('reports')}</h2>
      <List
        label={t('reports')}
        list={list}
        columns={reportColumns()}
        keyOf={(report) => report.id}
        empty={t('noReports')}
      />
    </>
  );
}

function reportColumns(): readonly Column<ReportItem>[] {
  return [
    {
      label: t('content'),
      isWide: true,
      cell: ({ id, snapshot, entity, state }) => (
        <Link to={`/moderation?report=${id}${state === 'open' ? '' : '&state=resolved'}`}>
          <bdi>{snapshot?.text ?? snapshot?.name ?? kindName(entity.type)}</bdi>
        </Link>
      ),
    },
    {
      label: t('reason'),
      cell: ({ held, reasons }) => (
        <>
          {held !== undefined && <Badge tone="warn">{heldWords(held)}</Badge>}{' '}
          {reasons.map((each) => (
            <Badge key={each.reason} tone="bad">
              {reasonWords(each)}
            </Badge>
          ))}
        </>
      ),
    },
    {
      label: t('decision'),
      cell: ({ action, resolved_by: by, note }) =>
        action === undefined ? (
          <Badge tone="warn">{t('undecided')}</Badge>
        ) : (
          <>
            {decisionName(action)} · <bdi>{by?.display_name}</bdi>{' '}
            {note !== undefined && <q dir="auto">{note}</q>}
          </>
        ),
    },
    { label: t('since'), cell: ({ reported_at }) => <Time at={reported_at} /> },
  ];
}

function Comments({ user: { id, uid } }: { readonly user: User }) {
  const query = useQuery(
    `comments of ${id}`,
    async (signal) =>
      await client.listComments(
        { author_id: id, order_by: 'id desc', top: shownMax, expand: ['created_by'] },
        { signal },
      ),
    { live: ['comment_'] },
  );
  return (
    <>
      <h2>{t('comments')}</h2>
      <Loaded query={query}>
        {({ data, count = 0 }) => (
          <>
            <p class="soft">
              {t('commentsOf', { count })}{' '}
              {count > 0 && <Link to={`/content?author=${encodeURIComponent(uid)}`}>{t('allContent')}</Link>}
            </p>
            {data.length > 0 && <Lines lines={data.map((each) => lineOf(each, undefined))} />}
          </>
        )}
      </Loaded>
    </>
  );
}
