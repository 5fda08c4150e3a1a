import { type Json, json } from '../../kernel/json.ts';
import { entryApp, entryFields } from '../shapes/entry.ts';
import { commentsOfFile, fileFields } from '../shapes/file.ts';
import { listWithCount } from '../shapes/list-with-count.ts';
import { reactionFields } from '../shapes/reaction.ts';
import { userFields } from '../shapes/user.ts';

/**
 * What a live connection of the second form is sent, made of what one of the first form is sent. The log has few facts of an
 * item, so what lists read from other rows (the names of authors, the parent of a link) is left out; clients fetch it.
 */

/** What the first form shows of an item, a user or an app, as far as it is looked at. */
type Item = {
  readonly id?: number;
  readonly display_name?: string;
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
  readonly actor_id?: number;
  readonly link?: Item;
};

/** The events that the second form has another name for. */
const renamed: { readonly [action: string]: string } = { conversation_marked: 'app_marked' };

/** The name of an action in the second form. */
export function actionInSecondForm(action: string): string {
  return renamed[action] ?? action;
}

/** An event or a typing notice, as it is sent to connections of the first form, in the second form. */
export function eventInSecondForm(sent: Json, appId: number | null): Json {
  const event: { readonly action: string; readonly actor: Item } = JSON.parse(sent);
  const actor = 'display_name' in event.actor ? user(event.actor) : event.actor;
  const shaped = Object.entries(event).map(([name, value]) => {
    const shape = shapes[name];
    return [name, shape !== undefined && isFields(value) ? shape(value, { actor, appId }) : value];
  });
  const action = actionInSecondForm(event.action);
  const type = action === event.action ? {} : { type: action.replace('_', '.') };
  return json(JSON.stringify({ ...Object.fromEntries(shaped), action, actor, ...type }));
}

/** The user who did something, in the second form, and the app that it belongs to. */
type Around = { readonly actor: Item; readonly appId: number | null };

const shapes: { readonly [name: string]: (item: Item, around: Around) => object } = {
  app,
  comment: entry,
  post: (item, around) => ({ ...entry(item, around), ...comments(item) }),
  message: entry,
  file,
  member: user,
  user,
  option,
  conversation: app,
  notification,
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

function app(one: Item): object {
  return { ...one, name: one.display_name, ...updated(one) };
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
  const {
    app_id: appId,
    modified_at: at,
    attachments,
    options,
    reactions,
    comment_count: _,
    ...others
  } = item;
  const within = appId ?? around.appId ?? 0;
  const fields = entryFields({ appId: within, updatedAt: moment(at), updatedBy: undefined });
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...others,
    ...(item.comment_count === undefined ? {} : { comment_count: item.comment_count }),
    app_id: within,
    ...(at === undefined ? {} : { modified_at: at }),
    ...Object.fromEntries(known.map(([name, value]) => [name, JSON.parse(String(value))])),
    ...author(item, around),
    ...editor(item, around),
    attachments: list(attachments?.map((each: Item) => file(each, around))),
    options: list(options?.map(option)),
    reactions: list(reactions?.map(reaction)),
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
  const { voters = [], vote_count: count = voters.length, ...others } = item;
  const shown = voters.map((each: Item) => JSON.stringify(user(each)));
  return { ...others, vote_count: count, votes: JSON.parse(listWithCount(count, shown)) };
}

function reaction(item: Item): object {
  const { created_by_id: createdById } = item;
  if (createdById === undefined) return item;
  return { ...item, created_by: JSON.parse(reactionFields({ createdById }).created_by) };
}

/** One that shows its link shows who did it. The actor of the event is that user only when it is created. */
function notification(item: Item, around: Around): object {
  const { link, actor_id: actorId } = item;
  if (!isFields(link)) return item;
  const within = around.appId === null ? {} : { app: JSON.parse(entryApp(around.appId)) };
  const by = actorId === undefined ? {} : { actor: person(actorId, around) };
  return { ...item, ...by, link: { ...link, ...within } };
}
