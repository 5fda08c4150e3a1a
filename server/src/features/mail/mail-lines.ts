import { excerpt } from 'confab-contract/values/excerpt.ts';
import { addressOn } from 'confab-contract/values/page-address.ts';
import type { Db } from '../../db/db.ts';
import { sentenceOf } from '../notifications/notice.ts';
import { nameOf } from '../notifications/notification-record.ts';
import { commentsOf, waitingIn } from './mail.store.ts';
import type { MailLine } from './mail-message.ts';
import type { MailOptions } from './mail-schedule.ts';

/** The most lines of a message. */
export const linesMax = 20;
/** The most characters of a new comment that a message has. */
const textCharactersMax = 1000;

/** What a line needs of a notification. */
type Told = {
  readonly reason: string;
  readonly template: string;
  readonly args: string;
  readonly createdAt: number;
  readonly appId: number;
  readonly appUid: string;
  readonly linkType: string;
  readonly linkId: number;
};

/** The signed addresses of messages. */
export type MailAddresses = {
  /** The address at which a user stops mail. */
  readonly toUser: (userId: number) => string;
  /** The address at which a moderator decides about the item of a report, held since `heldAt`. */
  readonly toReport: (userId: number, held: { readonly reportId: number; readonly heldAt: number }) => string;
  /** The address at which a moderator hides or removes a comment that is shown. */
  readonly toComment: (userId: number, commentId: number) => string;
};

/** The address of something in the application of the host. */
function addressOf(
  template: string,
  { linkType, linkId, appId, appUid }: Pick<Told, 'linkType' | 'linkId' | 'appId' | 'appUid'>,
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

/** The end of a sentence that names the app, where it has a name. */
function placeOf(app: {
  readonly appType: string;
  readonly appUid: string;
  readonly appName: string | null;
}) {
  const place = nameOf({ type: app.appType, uid: app.appUid, name: app.appName });
  return place === undefined ? '' : ` in ${place}`;
}

/** Writes the lines of messages. */
export function createMailLines({
  db,
  links,
  options,
}: {
  readonly db: Db;
  readonly links: Pick<MailAddresses, 'toReport' | 'toComment'>;
  readonly options: Pick<MailOptions, 'link' | 'origins' | 'console'>;
}) {
  /**
   * The address of what a notification is about. Without an address of the operator's application, a comment is found on its
   * page, if that is of a site that the operator lists: an app of another site would send readers anywhere.
   */
  function urlOf(told: Parameters<typeof addressOf>[1]): string | undefined {
    if (options.link !== undefined) return addressOf(options.link, told);
    if (told.linkType !== 'comment') return undefined;
    const pages = options.origins().map((origin) => addressOn(origin, told.appUid));
    const page = pages.find((address) => address !== undefined);
    return page && `${page}#comment-${told.linkId}`;
  }

  /** The lines of what waits in an app, of which one notification tells. */
  async function waitingLines(userId: number, { appId }: Told): Promise<MailLine[]> {
    const waiting = await db.read.all(waitingIn, { appId, userId, top: linesMax });
    return waiting.map(({ id, type, entityId, snapshot, heldAt, authorName, authorUid, appUid, ...app }) => {
      const shown = JSON.parse(snapshot ?? '{}') as { text?: string; name?: string };
      const link = links.toReport(userId, { reportId: id, heldAt: heldAt ?? 0 });
      const about = { linkType: type, linkId: entityId, appId, appUid };
      return {
        sentence: `A ${type} by ${authorName ?? authorUid} waits for approval${placeOf({ ...app, appUid })}`,
        text: shown.text ?? shown.name ?? '',
        at: heldAt ?? 0,
        url: urlOf(about),
        actions: [
          { label: 'Approve', url: `${link}/approve` },
          { label: 'Refuse', url: `${link}/refuse` },
        ],
      };
    });
  }

  /** The line of each new comment of which some notifications tell; none for one that went since they were read. */
  async function commentLines(userId: number, some: readonly Told[]): Promise<Map<number, MailLine>> {
    const about = new Map(
      some.flatMap((told) => (told.reason === 'new_comment' ? [[told.linkId, told] as const] : [])),
    );
    if (about.size === 0) return new Map();
    const comments = await db.read.all(commentsOf, { ids: [...about.keys()] });
    const lines = new Map<number, MailLine>();
    for (const { id, content, parentType, authorName, authorUid, ...app } of comments) {
      const told = about.get(id);
      if (told === undefined) continue;
      const below = parentType === 'app' ? '' : ` on a ${parentType}`;
      const { plain = '' } = JSON.parse(content) as { plain?: string };
      const text = excerpt(plain, textCharactersMax);
      const link = links.toComment(userId, id);
      lines.set(id, {
        sentence: `${authorName ?? authorUid} commented${below}${placeOf(app)}`,
        ...(text === '' ? {} : { text }),
        at: told.createdAt,
        url: urlOf(told) ?? `${options.console()}/content/comments/${id}`,
        actions: [
          { label: 'Hide', url: `${link}/hold` },
          { label: 'Remove', url: `${link}/trash` },
        ],
      });
    }
    return lines;
  }

  function lineOf(told: Told): MailLine {
    return {
      sentence: sentenceOf({ template: told.template, args: JSON.parse(told.args) as string[] }),
      at: told.createdAt,
      url: urlOf(told),
    };
  }

  /** The first lines of some notifications: one for each, or for what waits in an app, all of it once. */
  return async function linesOf(userId: number, all: readonly Told[]): Promise<MailLine[]> {
    const some = all.slice(0, linesMax);
    const comments = await commentLines(userId, some);
    const lines: MailLine[] = [];
    const apps = new Set<number>();
    for (const each of some) {
      if (each.reason === 'held') {
        if (!apps.has(each.appId)) lines.push(...(await waitingLines(userId, each)));
        apps.add(each.appId);
      } else {
        const line = each.reason === 'new_comment' ? comments.get(each.linkId) : lineOf(each);
        if (line !== undefined) lines.push(line);
      }
    }
    return lines.slice(0, linesMax);
  };
}
