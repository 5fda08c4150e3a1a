import { userOf } from '../../access/user/user.sql.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sentenceOf } from '../notifications/notice.ts';
import { nameOf } from '../notifications/notification-record.ts';
import { mailUser, setNextDue, unreadAfter, waitingIn } from './mail.store.ts';
import { refusalsMax } from './mail.ts';
import { composeMail, type MailLine } from './mail-message.ts';
import { isDirect, type MailOptions, type State, sendTimeOf } from './mail-schedule.ts';

/** The most notifications that a message reads, and the most that it lists. */
const unreadMax = 200;
const linesMax = 20;
type Unread = Awaited<ReturnType<typeof unreadOf>>[number];

/** The address at which a moderator decides about the item of a report, held since `heldAt`. */
export type ToReport = (
  userId: number,
  held: { readonly reportId: number; readonly heldAt: number },
) => string;

/** A message to write and send: the unread notifications that it covers, up to `newest`. */
export type ComposedMail = {
  readonly state: State;
  readonly newest: number;
  readonly message: Buffer;
  readonly to: string;
};

async function unreadOf(db: Db, { userId, upto }: State) {
  return await db.read.all(unreadAfter, { userId, after: upto, top: unreadMax });
}

/** The address of what a notification is about. */
function addressOf(
  template: string,
  { linkType, linkId, appId, appUid }: Pick<Unread, 'linkType' | 'linkId' | 'appId' | 'appUid'>,
): string {
  const values: { readonly [name: string]: string } = {
    app: appUid,
    app_id: String(appId),
    type: linkType,
    id: String(linkId),
  };
  return template.replaceAll(/\{(app|app_id|type|id)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}

/** Writes the messages of one node. */
export function createMailWriter({
  db,
  clock,
  toUser,
  toReport,
  options,
}: {
  db: Db;
  clock: Clock;
  /** The address at which a user stops mail. */
  toUser: (userId: number) => string;
  /** The address at which a moderator decides. */
  toReport: ToReport;
  options: MailOptions;
}) {
  /** The lines of what waits in an app, of which one notification tells. */
  async function waitingLines(userId: number, { appId }: Unread): Promise<MailLine[]> {
    const waiting = await db.read.all(waitingIn, { appId, userId, top: linesMax });
    return waiting.map(({ id, type, entityId, snapshot, heldAt, authorName, authorUid, appUid, ...app }) => {
      const shown = JSON.parse(snapshot ?? '{}') as { text?: string; name?: string };
      const place = nameOf({ type: app.appType, uid: appUid, name: app.appName });
      const where = place === undefined ? '' : ` in ${place}`;
      const link = toReport(userId, { reportId: id, heldAt: heldAt ?? 0 });
      const about = { linkType: type, linkId: entityId, appId, appUid };
      return {
        sentence: `A ${type} by ${authorName ?? authorUid} waits for approval${where}`,
        text: shown.text ?? shown.name ?? '',
        at: heldAt ?? 0,
        url: options.link === undefined ? undefined : addressOf(options.link, about),
        actions: [
          { label: 'Approve', url: `${link}/approve` },
          { label: 'Refuse', url: `${link}/refuse` },
        ],
      };
    });
  }

  /** The first lines of some notifications: one for each, or for what waits in an app, all of it once. */
  async function linesOf(userId: number, some: readonly Unread[]): Promise<MailLine[]> {
    const lines: MailLine[] = [];
    const apps = new Set<number>();
    for (const each of some.slice(0, linesMax)) {
      if (each.reason !== 'held') lines.push(lineOf(each));
      else if (!apps.has(each.appId)) lines.push(...(await waitingLines(userId, each)));
      if (each.reason === 'held') apps.add(each.appId);
    }
    return lines.slice(0, linesMax);
  }

  function lineOf(unread: Unread): MailLine {
    return {
      sentence: sentenceOf({ template: unread.template, args: JSON.parse(unread.args) as string[] }),
      at: unread.createdAt,
      url: options.link === undefined ? undefined : addressOf(options.link, unread),
    };
  }

  /** Writes the message of a state; undefined when there is nothing to send yet, which is then recorded. */
  return async function write(state: State): Promise<ComposedMail | undefined> {
    const row = await db.read.get(mailUser, { id: state.userId });
    const user = row === undefined ? undefined : userOf(row);
    const isReachable =
      user !== undefined &&
      user.email !== null &&
      user.suspendedAt === null &&
      user.trashedAt === null &&
      !(state.refusedAddress === user.email && state.refusals >= refusalsMax);
    const unread = isReachable && state.choice !== 'none' ? await unreadOf(db, state) : [];
    const included = unread.filter(
      (each) => each.isShown === 1 && (state.choice === 'all' || isDirect(each)),
    );
    const newest = unread[0]?.id ?? state.upto;
    const { userId, upto: before } = state;
    const from = { userId, before, dueAt: state.dueAt ?? 0 };
    if (!isReachable || included.length === 0) {
      await db.write((tx) => tx.run(setNextDue, { ...from, upto: newest, next: null }));
      return undefined;
    }
    // What made this message due may have been read or trashed since, and the rest still has time. Of more than can be
    // read here, the oldest are not known.
    const next = Math.min(...included.map((each) => sendTimeOf(each, state.sentAt, options)));
    if (next > clock.now() && unread.length < unreadMax) {
      await db.write((tx) => tx.run(setNextDue, { ...from, upto: before, next }));
      return undefined;
    }
    const inOrder = included.reverse().sort((one, other) => Number(isDirect(other)) - Number(isDirect(one)));
    const lines = await linesOf(userId, inOrder);
    const address = user.email ?? '';
    const message = await composeMail({
      from: options.from,
      to: { name: user.displayName, address },
      userId,
      upto: newest,
      lines,
      more: Math.max(0, included.length - linesMax),
      unsubscribeUrl: toUser(userId),
      at: clock.now(),
    });
    return { state, newest, message, to: address };
  };
}
