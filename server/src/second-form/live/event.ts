import { appTypeGuids, appTypeNames } from 'confab-contract/apps.ts';
import { isGeneratedUid } from '../../access/generated-uid.ts';
import { type Json, json } from '../../kernel/json.ts';
import { appFields } from '../shapes/app.ts';
import { embedFields } from '../shapes/embed.ts';
import { entryFields } from '../shapes/entry.ts';
import { commentsOfFile, fileFields } from '../shapes/file.ts';
import { listWithCount } from '../shapes/list-with-count.ts';
import { meetingCode, shownProvider } from '../shapes/meeting.ts';
import { memberAccess, memberFields } from '../shapes/member.ts';
import { type NotificationFacts, notificationInSecondForm } from '../shapes/notification.ts';
import { reactionFields } from '../shapes/reaction.ts';
import { userFields, userOfServer } from '../shapes/user.ts';

/**
 * What a live connection of the second form is sent, made of what one of the first form is sent. The log has few facts of an
 * item, so what lists read from other rows (the names of authors) is left out; clients fetch it. What a notification lacks
 * is read with its batch.
 */

/** What the first form shows of an item, a user or an app, as far as it is looked at. */
type Item = {
  readonly id?: number;
  readonly type?: string;
  readonly uid?: string;
  readonly access?: string;
  readonly role?: string | null;
  readonly display_name?: string;
  readonly created_at?: string;
  readonly is_bot?: boolean;
  readonly directory_id?: number;
  readonly app_id?: number;
  readonly version?: number;
  readonly created_by_id?: number;
  readonly created_by?: Item;
  readonly modified_at?: string;
  readonly modified_by_id?: number;
  readonly attachments?: readonly Item[];
  readonly options?: readonly Item[];
  readonly reactions?: readonly Item[];
  readonly voters?: readonly Item[];
  readonly vote_count?: number;
  readonly comment_count?: number;
  readonly is_starred?: boolean;
  readonly embed?: Embed;
  readonly meeting?: Item & { readonly join_url?: string };
};

/** An embed in the first form: what is stored stands beside its own fields. */
type Embed = Item & { readonly original_url?: string };

/** A notification in the first form; one that reveals nothing has neither actor nor link. */
type Notification = Item & {
  readonly id: number;
  readonly action: string;
  readonly actor_id?: number;
  readonly link?: { readonly id: number; readonly type: string };
  readonly template: string;
  readonly args: readonly string[];
  readonly user_id: number;
  readonly user?: Item;
  readonly created_at: string;
  readonly is_unread: boolean;
};

/** The events that the second form has another name for. */
const renamed: { readonly [action: string]: string } = { conversation_marked: 'app_marked' };

/** The name of an action in the second form. */
export function actionInSecondForm(action: string): string {
  return renamed[action] ?? action;
}

/** Whether only connections of the second form know a channel by this name. */
export function isOnlyOfSecondForm(channel: string): boolean {
  return Object.values(renamed).includes(channel.replace(/^a\d+:/, ''));
}

/** What an event is sent with: its app, and what is known of its notification, if it is about one. */
export type EventContext = {
  readonly appId: number | null;
  readonly facts?: NotificationFacts | undefined;
};

/** An event or a typing notice, as it is sent to connections of the first form, in the second form. */
export function eventInSecondForm(sent: Json, context: EventContext): Json {
  const event: { readonly action: string; readonly actor: Item } = JSON.parse(sent);
  const actor = 'display_name' in event.actor ? user(event.actor) : event.actor;
  const around = { ...context, actor };
  const shaped = Object.entries(event).map(([name, value]) => {
    const shape = shapes[name];
    return [name, shape !== undefined && isFields(value) ? shape(value, around) : value];
  });
  const action = actionInSecondForm(event.action);
  const type = action === event.action ? {} : { type: action.replace('_', '.') };
  const fields = Object.fromEntries(shaped);
  return json(JSON.stringify({ ...fields, ...appOf(action, fields, around), action, actor, ...type }));
}

/** The app of events that have none in the first form. */
function appOf(
  action: string,
  { conversation }: { readonly conversation?: object },
  { appId }: Around,
): object {
  if (action === 'app_marked') return { app: conversation };
  return action === 'notifications_marked' && appId !== null ? { app: { id: appId } } : {};
}

/** The user who did something, in the second form, and what the event is sent with. */
type Around = EventContext & { readonly actor: Item };

const shapes: { readonly [name: string]: (item: Item, around: Around) => object } = {
  app,
  comment: entry,
  post: (item, around) => ({ ...entry(item, around), ...comments(item) }),
  message: entry,
  file,
  member,
  user,
  option,
  conversation: app,
  notification: (item, around) => notification(item as Notification, around),
};

function isFields(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that a shape renders as text, `,"name":value` each. */
function fieldsOf(text: string): object {
  return JSON.parse(`{${text.slice(1)}}`);
}

const list = (items: readonly unknown[] = []): object =>
  JSON.parse(
    listWithCount(
      items.length,
      items.map((item) => JSON.stringify(item)),
    ),
  );

function user(one: Item): object {
  const facts = {
    displayName: one.display_name ?? '',
    isBot: one.is_bot === true,
    directoryId: one.directory_id ?? null,
  };
  return { ...one, ...fieldsOf(userFields(facts)), ...updated(one) };
}

function member(one: Item): object {
  const { access = '', role = null, display_name: displayName = '', is_bot: isBot = false } = one;
  return {
    ...one,
    access: memberAccess(access, role),
    ...fieldsOf(memberFields({ displayName, isBot })),
  };
}

const guids = new Map<string, string | undefined>(
  appTypeNames.map((name, index) => [name, appTypeGuids[index]]),
);

/** An app, or a reference to one, which has no name. */
function app(one: Item, around: Around): object {
  const { uid, ...others } = one;
  const type = guids.get(one.type ?? '');
  const isNamed = uid !== undefined && !isGeneratedUid(uid);
  const known = {
    ...others,
    ...(isNamed ? { uid } : {}),
    ...(type === undefined ? {} : { type }),
  };
  if (one.display_name === undefined) return known;
  const facts = {
    name: one.display_name,
    createdAt: moment(one.created_at) ?? 0,
    updatedAt: moment(one.modified_at),
    updatedBy: undefined,
    lastMessageId: null,
  };
  return { ...known, ...fieldsOf(appFields(facts)), ...editor(one, around) };
}

/** When an item was changed, by the name that the second form has for it. */
function updated({ modified_at: at }: Item): object {
  return at === undefined ? {} : { updated_at: at };
}

/** A user of whom the id is known, and more if they are the actor. */
function person(id: number, { actor }: Around): object {
  return actor.id === id ? actor : { id };
}

function author(item: Item, around: Around): object {
  const { created_by_id: id, created_by: known } = item;
  if (isFields(known)) return { created_by: user(known) };
  return id === undefined ? {} : { created_by: person(id, around) };
}

function editor(item: Item, around: Around): object {
  const { modified_by_id: id } = item;
  return id === undefined ? {} : { updated_by: person(id, around) };
}

/** The moment in the text of a time; null where there is none. */
function moment(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}

function entry(item: Item, around: Around): object {
  const { attachments, options, reactions } = item;
  const appId = item.app_id ?? around.appId ?? 0;
  const fields = entryFields({ appId, updatedAt: moment(item.modified_at), updatedBy: undefined });
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...item,
    app_id: appId,
    ...Object.fromEntries(known.map(([name, value]) => [name, JSON.parse(String(value))])),
    ...author(item, around),
    ...editor(item, around),
    attachments: list(attachments?.map((each: Item) => file(each, around))),
    options: list(options?.map(option)),
    reactions: list(reactions?.map(reaction)),
    ...(item.embed === undefined ? {} : { embed: embed(item.embed) }),
    ...(item.meeting === undefined ? {} : { meeting: meeting(item.meeting) }),
    is_starred: item.is_starred ?? false,
  };
}

function comments({ comment_count: count }: Item): object {
  return { comments: JSON.parse(commentsOfFile(count ?? 0)) };
}

function file(item: Item, around: Around): object {
  const facts = {
    appId: item.app_id ?? around.appId ?? 0,
    version: item.version ?? 1,
    updatedAt: moment(item.modified_at),
    updatedBy: undefined,
  };
  const people = { ...author(item, around), ...editor(item, around) };
  return { ...item, ...fieldsOf(fileFields(facts)), ...people, ...comments(item) };
}

function option(item: Item): object {
  const { voters = [], vote_count: count = voters.length } = item;
  const shown = voters.map((each: Item) => JSON.stringify(user(each)));
  return { ...item, votes: JSON.parse(listWithCount(count, shown)) };
}

function reaction(item: Item): object {
  const { created_by_id: createdById } = item;
  if (createdById === undefined) return item;
  return { ...item, created_by: JSON.parse(reactionFields({ createdById }).created_by) };
}

function embed({ id, created_at: at, created_by_id: by, original_url: url = '', ...stored }: Embed): object {
  const shown = embedFields({ content: JSON.stringify(stored), url, actions: null });
  return { id, created_at: at, created_by_id: by, original_url: url, ...JSON.parse(`{${shown}}`) };
}

/** A meeting. The log has neither when it was made nor which provider was asked for. */
function meeting(one: NonNullable<Item['meeting']>): object {
  const { join_url: joinUrl = '' } = one;
  return { ...one, provider: shownProvider({ shownAs: null }), code: meetingCode(joinUrl) };
}

/** A notification that reveals nothing has the system as its actor. */
function notification(item: Notification, around: Around): object {
  const by = item.actor_id === undefined ? system : person(item.actor_id, around);
  const shown = notificationInSecondForm(
    {
      id: item.id,
      action: item.action,
      sentence: { template: item.template, args: item.args },
      actor: { id: item.actor_id ?? 0, json: JSON.stringify(by) },
      item: item.link,
      user: { id: item.user_id, json: JSON.stringify(item.user === undefined ? {} : user(item.user)) },
      createdAt: item.created_at,
      isUnread: item.is_unread,
    },
    around.facts ?? unknown,
  );
  return JSON.parse(shown);
}

/** What is shown of a notification that was deleted by now. */
const unknown: NotificationFacts = { type: 'activity', quote: '', metadata: null, tags: null };
const system = JSON.parse(userOfServer({ id: 0, name: 'System' }));
