import type { CommentItem, ReportItem, User } from 'confab-client';
import { client } from '../../api.ts';
import { beginningOf } from '../../beginning.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Time } from '../../components/Time.tsx';
import { useQuery } from '../../data.ts';
import { AppPage, AppWords } from '../content/AppName.tsx';
import { t } from './messages.ts';

/** How many of the newest comments are shown. */
const newestMax = 10;
/** The most open reports that are looked through for one of them. */
const reportsMax = 100;
/** The most characters of a text that a line can show. */
const beginningUnits = 200;

/** A comment in a line. */
type Line = {
  readonly id: number;
  readonly appId: number;
  readonly author: User | undefined;
  readonly beginning: string;
  readonly at: string;
  readonly isHeld: boolean;
  readonly report: ReportItem | undefined;
};

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

function lineOf(comment: CommentItem, report: ReportItem | undefined): Line {
  const { id, app_id: appId, created_by: author, plain = '', created_at: at } = comment;
  return { id, appId, author, beginning: beginningOf(plain, beginningUnits), at, isHeld: false, report };
}

function lineOfHeld(report: ReportItem): Line {
  const { entity, app_id: appId, author, snapshot, created_at } = report;
  const beginning = beginningOf(snapshot?.text ?? '', beginningUnits);
  return {
    id: entity.id,
    appId,
    author,
    beginning,
    at: snapshot?.created_at ?? created_at,
    isHeld: true,
    report,
  };
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
        {(lines) =>
          lines.length === 0 ? (
            <p class="card soft">{t('noComments')}</p>
          ) : (
            <ul class="newest">
              {lines.map((line) => (
                <Row key={line.id} {...line} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function Row({ id, appId, author, beginning, at, isHeld, report }: Line) {
  // What waits for a decision opens where it is decided.
  const to = report === undefined ? `/content/comments/${id}` : `/moderation?report=${report.id}`;
  return (
    <li>
      {author !== undefined && <Avatar user={author} />}
      <div>
        <Link to={to} class="newest-text">
          <bdi>{beginning === '' ? t('attachment') : beginning}</bdi>
        </Link>
        <p class="soft">
          <bdi>{author?.display_name}</bdi> · <Time at={at} /> ·{' '}
          <bdi>
            <AppWords id={appId} />
          </bdi>
        </p>
      </div>
      {isHeld && <Badge tone="warn">{t('isHeld')}</Badge>}
      {report !== undefined && report.report_count > 0 && <Badge tone="bad">{t('isReported')}</Badge>}
      <AppPage id={appId} at={id} />
    </li>
  );
}
