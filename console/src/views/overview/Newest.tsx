import { client } from '../../api.ts';
import { Link } from '../../components/Link.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { useQuery } from '../../data.ts';
import { hasKey } from '../../session.ts';
import { type Line, Lines, lineOf, lineOfHeld } from '../content/Lines.tsx';
import { t } from './messages.ts';

/** How many of the newest comments are shown. */
const newestMax = 10;
/** The most open reports that are looked through for one of them. */
const reportsMax = 100;

/** Lists of comments leave out those on hold, which only their reports list. */
async function readNewest(signal: AbortSignal): Promise<readonly Line[]> {
  const newest = { order_by: 'id desc', top: newestMax, count: false } as const;
  const open = { state: 'open', top: reportsMax, count: false } as const;
  const [comments, reports] = await Promise.all([
    client.listComments({ ...newest, expand: ['created_by'] }, { signal }),
    client.listReports({ ...open, expand: ['author'] }, { signal }),
  ]);
  const ofComments = reports.data.filter(({ entity }) => entity.type === 'comment');
  const byComment = new Map(ofComments.map((report) => [report.entity.id, report]));
  const held = ofComments.filter((report) => report.held !== undefined).map(lineOfHeld);
  const shown = comments.data.map((comment) => lineOf(comment, byComment.get(comment.id)));
  return [...held, ...shown].sort((a, b) => b.id - a.id).slice(0, newestMax);
}

/** The newest comments of all pages: what an owner opens the console for. */
export function Newest() {
  const query = useQuery('newest', readNewest, { live: ['comment_', 'report_'] });
  return (
    <>
      <h2>
        {t('newest')}{' '}
        <Link to="/content" class="newest-all">
          {t('allComments')}
        </Link>
      </h2>
      <Loaded query={query}>
        {(lines) => (lines.length === 0 ? <NoComments /> : <Lines lines={lines} />)}
      </Loaded>
    </>
  );
}

/** Whoever has just started a server finds the way to their first comment here. */
function NoComments() {
  return (
    <p class="card soft">
      {t('noComments')} {hasKey() && <Link to="/system/site">{t('setUp')}</Link>}
    </p>
  );
}
