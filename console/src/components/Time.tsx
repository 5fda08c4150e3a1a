import { formatAgo, formatTime } from '../i18n.ts';

/** A time as people say it; the exact one, in their own zone, when they point at it. */
export function Time({
  at,
  isExact = false,
}: {
  readonly at: string | undefined;
  readonly isExact?: boolean;
}) {
  if (at === undefined) return <span>–</span>;
  const exact = formatTime(at);
  return (
    <time dateTime={at} title={exact}>
      {isExact ? exact : formatAgo(at)}
    </time>
  );
}
