import { userOf } from '../../access/user/user.sql.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { mailUser, moderatedOf, setNextDue, unreadAfter } from './mail.store.ts';
import { getsNewComments, refusalsMax } from './mail.ts';
import { createMailLines, linesMax, type MailAddresses } from './mail-lines.ts';
import { composeMail } from './mail-message.ts';
import { isDirect, type MailOptions, type State, sendTimeOf } from './mail-schedule.ts';

/** The most notifications that a message reads. */
const unreadMax = 200;
type Unread = Awaited<ReturnType<typeof unreadOf>>[number];

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

/** Where a notification stands in a message: what is for its user alone first, then new comments, then all else. */
function placeOf(each: Unread): number {
  if (each.reason === 'new_comment') return 1;
  return isDirect(each) ? 0 : 2;
}

/** The notifications of a state that its message tells of. Of new comments, those that the user still asks for and moderates. */
async function toldOf(db: Db, state: State, unread: readonly Unread[]): Promise<Unread[]> {
  const told = unread.filter((each) => each.isShown === 1 && (state.choice === 'all' || isDirect(each)));
  const isNew = ({ reason }: Unread) => reason === 'new_comment';
  const appIds = [...new Set(told.filter(isNew).map(({ appId }) => appId))];
  if (appIds.length === 0) return told;
  const moderated = getsNewComments(state)
    ? await db.read.all(moderatedOf, { userId: state.userId, appIds })
    : [];
  const ids = new Set(moderated.map(({ id }) => id));
  return told.filter((each) => !isNew(each) || ids.has(each.appId));
}

/** Writes the messages of one node. */
export function createMailWriter({
  db,
  clock,
  links,
  options,
}: {
  db: Db;
  clock: Clock;
  links: MailAddresses;
  options: MailOptions;
}) {
  const linesOf = createMailLines({ db, links, options });

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
    const included = await toldOf(db, state, unread);
    const newest = unread[0]?.id ?? state.upto;
    const { userId, upto: before } = state;
    const from = { userId, before, dueAt: state.dueAt ?? 0 };
    const endWithout = async (): Promise<undefined> => {
      await db.write((tx) => tx.run(setNextDue, { ...from, upto: newest, next: null }));
    };
    if (!isReachable || included.length === 0) return await endWithout();
    // What made this message due may have been read or trashed since, and the rest still has time. Of more than can be
    // read here, the oldest are not known.
    const next = Math.min(...included.map((each) => sendTimeOf(each, state.sentAt, options)));
    if (next > clock.now() && unread.length < unreadMax) {
      await db.write((tx) => tx.run(setNextDue, { ...from, upto: before, next }));
      return undefined;
    }
    const inOrder = included.reverse().sort((one, other) => placeOf(one) - placeOf(other));
    const lines = await linesOf(userId, inOrder);
    // What it is about went while it was written.
    if (lines.length === 0) return await endWithout();
    const address = user.email ?? '';
    const message = await composeMail({
      from: options.from,
      to: { name: user.displayName, address },
      userId,
      upto: newest,
      lines,
      more: Math.max(0, included.length - linesMax),
      kind: included.every(({ reason }) => reason === 'new_comment') ? 'comments' : 'notifications',
      unsubscribeUrl: links.toUser(userId),
      at: clock.now(),
    });
    return { state, newest, message, to: address };
  };
}
