import type { CommentItem, ReportItem, User } from 'confab-client';
import { beginningOf } from '../../beginning.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Link } from '../../components/Link.tsx';
import { Time } from '../../components/Time.tsx';
import { AppPage, AppWords } from './AppName.tsx';
import './content.css';
import { t } from './messages.ts';

/** The most characters of a text that a line can show. */
const beginningUnits = 200;

/** A comment in a line. */
export type Line = {
  readonly id: number;
  readonly appId: number;
  readonly author: User | undefined;
  readonly beginning: string;
  readonly at: string;
  readonly isHeld: boolean;
  readonly report: ReportItem | undefined;
};

/** The line of a comment that is shown, with its open report if it has one. */
export function lineOf(comment: CommentItem, report: ReportItem | undefined): Line {
  const { id, app_id: appId, created_by: author, plain = '', created_at: at } = comment;
  return { id, appId, author, beginning: beginningOf(plain, beginningUnits), at, isHeld: false, report };
}

/** The line of a comment on hold, which only its report lists. */
export function lineOfHeld(report: ReportItem): Line {
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

/** Comments in lines, each with who wrote it, when, where, and whether it waits for a decision. */
export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul class="lines">
      {lines.map((line) => (
        <Row key={line.id} {...line} />
      ))}
    </ul>
  );
}

function Row({ id, appId, author, beginning, at, isHeld, report }: Line) {
  // What waits for a decision opens where it is decided.
  const to = report === undefined ? `/content/comments/${id}` : `/moderation?report=${report.id}`;
  return (
    <li>
      {author !== undefined && <Avatar user={author} />}
      <div>
        <Link to={to} class="line-text">
          <bdi>{beginning === '' ? t('noText') : beginning}</bdi>
        </Link>
        <p class="soft">
          <bdi>{author?.display_name}</bdi> · <Time at={at} /> ·{' '}
          <bdi>
            <AppWords id={appId} />
          </bdi>
        </p>
      </div>
      {isHeld && <Badge tone="warn">{t('held')}</Badge>}
      {report !== undefined && report.report_count > 0 && <Badge tone="bad">{t('reported')}</Badge>}
      <AppPage id={appId} at={id} />
    </li>
  );
}
