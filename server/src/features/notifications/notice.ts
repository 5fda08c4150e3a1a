import { actionNames, factsOf, findFacts } from 'confab-contract/actions.ts';
import { mentionsIn } from 'confab-contract/values/canonical-html.ts';
import { excerpt } from 'confab-contract/values/excerpt.ts';
import type { Via } from '../../kernel/principal.ts';
import { searchWords } from '../../kernel/search.ts';
import { withheldSentence } from '../redactions/blank.ts';
import type { LargeAudience } from './notifier.store.ts';

/**
 * A notice is an event in the form from which notifications are created: its *audiences*, and the words for each
 * reason. The functions here are pure; the store finds the users of the audiences.
 */

/** The actions that can notify a user. */
export const notifyingActions = actionNames.filter((action) => factsOf(action).audience !== undefined);

/** Why a user is notified, the strongest reason first: of several reasons the first one counts. */
export const reasons = [
  'mention',
  'reply',
  'new_comment',
  'reaction',
  'vote',
  'author',
  'participant',
  'subscription',
  'member',
  'moderator',
  'held',
] as const;
/** One of `reasons`. */
export type Reason = (typeof reasons)[number];

/** An event of the log as the notifier reads it. */
export type LoggedEvent = {
  readonly id: number;
  readonly action: string;
  readonly actorId: number;
  readonly appId: number | null;
  readonly payload: string;
  readonly createdAt: number;
};

/** An item by its kind on the wire and its id. */
type Thing = { readonly type: string; readonly id: number };

/**
 * Some users: one user, the author of an item, the subscribers of an item, the members of the app of the event, the
 * moderators who see a reported or held item, those who want to be told of each new comment in the app, or those who
 * answered in a thread. A mention in an edit notifies only users without a notification of a mention in the same text.
 */
export type Audience = {
  readonly source: 'user' | 'author' | LargeAudience;
  readonly type: string;
  readonly id: number;
  readonly reason: Reason;
  readonly isEdit: boolean;
};

/** An event with its audiences and the content of their notifications. */
export type Notice = {
  readonly eventId: number;
  readonly action: string;
  readonly actorId: number;
  readonly actorName: string;
  /** The API key with which the event was caused, if one was used. */
  readonly apiKeyId: number | undefined;
  /** The protocol through which a program caused the event. */
  readonly via: Via | undefined;
  readonly appId: number;
  /** The target of the notification's link. */
  readonly link: Thing;
  /** The file that a comment is on. */
  readonly fileId: number | undefined;
  /** The kind of the item that a comment is on. */
  readonly parentType: string | undefined;
  /** The text, the emoji, the poll option or the name of the file; any other value where there is none. */
  readonly shown: unknown;
  readonly at: number;
  readonly audiences: readonly Audience[];
};

type Entry = {
  id?: unknown;
  type?: unknown;
  text?: unknown;
  html?: unknown;
  plain?: unknown;
  name?: unknown;
  reply_to_id?: unknown;
  metadata?: { parent_id?: unknown };
  parent?: { id?: unknown; type?: unknown };
};
type Payload = {
  actor?: { display_name?: unknown; api_key_id?: number; via?: Via };
  comment?: Entry;
  post?: Entry;
  message?: Entry;
  file?: Entry;
  option?: Entry;
  reaction?: unknown;
  entity?: Entry;
  report?: { id?: unknown; app_id?: unknown; entity?: Entry; new_report_count?: unknown };
  reason?: unknown;
};

/** The most characters of a text that a notification repeats. */
const excerptCharactersMax = 140;

function thingOf(value: { id?: unknown; type?: unknown } | undefined): Thing | undefined {
  if (!Number.isSafeInteger(value?.id) || typeof value?.type !== 'string') return undefined;
  return { id: Number(value.id), type: value.type };
}

/** What a notification repeats of a text; may be empty. */
export function quoteOf(text: unknown): string {
  return typeof text === 'string' ? excerpt(text, excerptCharactersMax) : '';
}

/** The excerpt that a notification shows of its event; may be empty. */
export function excerptOf({ shown }: Notice): string {
  return quoteOf(shown);
}

/** The notice of an event, or undefined when the event has no audiences. */
export function noticeOf(event: LoggedEvent): Notice | undefined {
  const { action } = event;
  const payload = JSON.parse(`{${event.payload}}`) as Payload;
  // Events of reports are of no app in the log, so that no user sees them.
  const appId = event.appId ?? Number(payload.report?.app_id ?? 0);
  if (appId === 0) return undefined;
  const kind = action.slice(0, action.indexOf('_'));
  const about = aboutOf(kind, payload);
  if (about === undefined) return undefined;
  const isEdit = action.endsWith('_updated');
  // Whom a held text mentions is notified when it is shown, and whom that of a thread mentions was when it was written.
  const mentioned = isAboutHeld(action) || isAboutThread(action) ? [] : mentionsIn(about.html);
  const audiences = [
    ...mentioned.map((id) => ({ source: 'user', type: 'user', id, reason: 'mention' }) as const),
    ...(isEdit && kind !== 'file' ? [] : audiencesOf(event.action, { appId, payload, link: about.link })),
  ];
  if (audiences.length === 0) return undefined;
  return {
    eventId: event.id,
    action,
    actorId: event.actorId,
    actorName: String(payload.actor?.display_name ?? ''),
    apiKeyId: payload.actor?.api_key_id,
    via: payload.actor?.via,
    appId,
    link: about.link,
    fileId: about.parent?.type === 'file' ? about.parent.id : undefined,
    parentType: about.parent?.type,
    shown: about.shown,
    at: event.createdAt,
    audiences: audiences.map((audience) => ({ ...audience, isEdit })),
  };
}

/** Whether an action says that something is held from now on. */
function isAboutHeld(action: string): boolean {
  return action.endsWith('_held');
}

/** Whether an action says of a thread that it is resolved or open from now on. */
function isAboutThread(action: string): boolean {
  return findFacts(action)?.audience === 'participants';
}

/** The subject of an event: what to link to, the HTML that may contain mentions, and the text to show. */
function aboutOf(
  kind: string,
  payload: Payload,
): { link: Thing; html: string; shown: unknown; parent?: Thing | undefined } | undefined {
  if (kind === 'reaction' || kind === 'option') {
    const link = thingOf(payload.entity);
    const detail = kind === 'reaction' ? payload.reaction : payload.option?.text;
    return link === undefined ? undefined : { link, html: '', shown: detail };
  }
  if (kind === 'report') {
    const link = thingOf(payload.report?.entity);
    return link === undefined ? undefined : { link, html: '', shown: payload.reason };
  }
  if (kind !== 'comment' && kind !== 'post' && kind !== 'message' && kind !== 'file') return undefined;
  const entry = payload[kind];
  const link = thingOf({ id: entry?.id, type: kind });
  if (link === undefined) return undefined;
  if (kind === 'file') return { link, html: '', shown: entry?.name };
  const parent = kind === 'comment' ? thingOf(entry?.parent) : undefined;
  return { link, html: typeof entry?.html === 'string' ? entry.html : '', shown: entry?.plain, parent };
}

/** The audiences of an event besides the users it mentions. */
function audiencesOf(
  action: string,
  { appId, payload, link }: { appId: number; payload: Payload; link: Thing },
): Omit<Audience, 'isEdit'>[] {
  const app = { type: 'app', id: appId };
  const subscribersOf = (thing: Thing) =>
    ({ source: 'subscribers', ...thing, reason: 'subscription' }) as const;
  const audience = findFacts(action)?.audience;
  if (audience === 'subscribers_of_app') return [subscribersOf(app)];
  if (audience === 'subscribers') return [subscribersOf(link)];
  if (audience === 'members') return [{ source: 'members', ...app, reason: 'member' }];
  if (audience === 'participants')
    return [
      { source: 'author', ...link, reason: 'author' },
      { source: 'participants', ...link, reason: 'participant' },
    ];
  if (audience === 'author')
    return [{ source: 'author', ...link, reason: action === 'option_voted' ? 'vote' : 'reaction' }];
  if (audience === 'moderators') {
    if (isAboutHeld(action)) return [{ source: 'moderators', ...link, reason: 'held' }];
    // Once for each time that a report is opened, however many users report the item.
    return payload.report?.new_report_count === 1
      ? [{ source: 'moderators', ...link, reason: 'moderator' }]
      : [];
  }
  if (audience !== 'thread') return [];
  const parent = thingOf(payload.comment?.parent) ?? app;
  // Clients that know nothing of threads say it in the metadata.
  const { reply_to_id: replyTo, metadata } = payload.comment ?? {};
  const answered = thingOf({ id: replyTo ?? metadata?.parent_id, type: 'comment' });
  return [
    ...(answered === undefined ? [] : [{ source: 'author', ...answered, reason: 'reply' } as const]),
    ...(parent.type === 'app' ? [] : [{ source: 'author', ...parent, reason: 'author' } as const]),
    { source: 'watchers', ...app, reason: 'new_comment' },
    subscribersOf(parent),
  ];
}

/** The arguments of a sentence: the names of the places of the event, if any, and its excerpt. */
export type NoticeContext = {
  readonly appName: string | undefined;
  readonly fileName: string | undefined;
  readonly excerpt: string;
};

/** A sentence with the placeholders {0}, {1} and so on, and their values. */
export type Wording = { readonly template: string; readonly args: readonly string[] };

/** The sentence for users who are notified of `notice` for `reason`. */
export function wordingOf(notice: Notice, reason: Reason, context: NoticeContext): Wording {
  // It stands for everything that waits in the app, and shows no words that nobody has approved.
  if (reason === 'held') {
    const template = `A ${notice.link.type} waits for approval`;
    const { appName } = context;
    return appName === undefined
      ? { template, args: [] }
      : { template: `${template} in {0}`, args: [appName] };
  }
  const { words, name } = phraseOf(notice, reason, context);
  const args = [notice.actorName];
  let template = `{0} ${words}`;
  if (name !== undefined) {
    template += ` {${args.length}}`;
    args.push(name);
  }
  if (context.excerpt !== '') {
    template += `: {${args.length}}`;
    args.push(context.excerpt);
  }
  return { template, args };
}

function phraseOf(
  { action, link, parentType }: Notice,
  reason: Reason,
  { appName, fileName }: NoticeContext,
): { words: string; name: string | undefined } {
  const within = (words: string) => ({
    words: appName === undefined ? words : `${words} in`,
    name: appName,
  });
  if (reason === 'mention') return within('mentioned you');
  if (reason === 'reply') return within('replied to your comment');
  if (reason === 'reaction') return within(`reacted to your ${link.type}`);
  if (reason === 'vote') return within('voted in your poll');
  if (reason === 'moderator') return within(`reported a ${link.type}`);
  if (action === 'comment_resolved') return within(`resolved ${possessiveOf(reason)} thread`);
  if (action === 'comment_reopened') return within(`reopened ${possessiveOf(reason)} thread`);
  if (action === 'message_created') return within(appName === undefined ? 'wrote to you' : 'wrote');
  if (action === 'post_created') return within('posted');
  if (action === 'file_created') return within('added a file');
  if (action === 'file_updated') return within('changed a file');
  if (parentType === 'file') return { words: `commented on ${possessiveOf(reason)} file`, name: fileName };
  return within(parentType === 'post' ? `commented on ${possessiveOf(reason)} post` : 'commented');
}

function possessiveOf(reason: Reason): string {
  return reason === 'author' ? 'your' : 'the';
}

/** The sentence that replaces one about something that the user may not see. */
export const withheld: Wording = { template: withheldSentence, args: [] };

/** The sentence of a template with its arguments, which are inserted unescaped. */
export function sentenceOf({ template, args }: Wording): string {
  return template.replace(/\{([0-9])\}/g, (_, index) => args[Number(index)] ?? '');
}

/** The words by which a notification is found, with a space around each. */
export function noticeWords(template: string, args: readonly string[]): string {
  return ` ${searchWords(template.replace(/\{[0-9]\}/g, ' '), ...args)} `;
}
