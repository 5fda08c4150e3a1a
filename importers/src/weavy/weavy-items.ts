import { RecordFault } from '../record-fields.ts';
import { type WeavyFields, weavyFields } from './weavy-fields.ts';
import type { WeavyLists } from './weavy-lists.ts';
import { readUser } from './weavy-people.ts';
import type {
  WeavyAppFile,
  WeavyEntry,
  WeavyFile,
  WeavyLeftOut,
  WeavyOption,
  WeavyReaction,
  WeavyUser,
} from './weavy-records.ts';

/** Posts, messages, comments and files of a Weavy server, with what is on them. */

/** The most options and attachments of one entry, as for entries that arrive over HTTP. */
const optionsMax = 50;
const attachmentsMax = 100;

/** What reading items needs and adds to. */
export type WeavyReading = {
  readonly lists: WeavyLists;
  /** The address of the server, to which the addresses of files can be relative. */
  readonly address: string;
  readonly rest: WeavyLeftOut;
  /** The users that items name, by id; undefined for one of which nothing but the id is known. */
  readonly named: Map<string, WeavyUser | undefined>;
};

/** Where an entry is: its app, and the post or file that it belongs to. */
export type WeavyPlace = Pick<WeavyEntry, 'appId' | 'parent'>;

/** The path of the operations on entries of a kind. */
const paths = { comment: '/api/comments', post: '/api/posts', message: '/api/messages' } as const;

/** Reads users out of an object, also one that names only their ids. */
function userIn({ named }: WeavyReading, fields: WeavyFields, name: string): string | undefined {
  const id = fields.idOf(name);
  if (id === undefined) return undefined;
  const user = fields.object(name);
  if (user?.has('id') !== true || (user.text('display_name') ?? user.text('name')) === undefined) {
    if (!named.has(id)) named.set(id, undefined);
  } else if (named.get(id) === undefined)
    named.set(id, readUser(weavyFields(fields.value(name), `the field ${name}`)));
  return id;
}

/** What all items have. The author of an item whose user is gone is the user with the id 0. */
function readItem(reading: WeavyReading, fields: WeavyFields, appId: string) {
  return {
    id: fields.ownId(),
    appId,
    authorId: userIn(reading, fields, 'created_by') ?? '0',
    createdAt: fields.time('created_at'),
    metadata: fields.metadata(),
    tags: fields.tags(),
    isTrashed: fields.flag('is_trashed'),
  };
}

/** A file in either form; the bytes of one that a provider keeps elsewhere are not here. */
function readFile({ address }: WeavyReading, fields: WeavyFields): WeavyFile {
  const isElsewhere = fields.text('provider') !== undefined || fields.text('external_url') !== undefined;
  const link = fields.text('download_url') ?? fields.text('raw_url');
  const url =
    isElsewhere || link === undefined || !URL.canParse(link, address)
      ? undefined
      : new URL(link, address).href;
  return {
    id: fields.ownId(),
    name: fields.text('name') ?? 'file',
    size: fields.wholeNumber('size') ?? 0,
    url,
  };
}

/** A comment, post or message with its attachments, poll and reactions. */
export async function readEntry(
  reading: WeavyReading,
  fields: WeavyFields,
  { kind, appId, parent }: WeavyPlace & { readonly kind: WeavyEntry['kind'] },
): Promise<WeavyEntry> {
  const { rest } = reading;
  const item = readItem(reading, fields, appId);
  const bare = {
    ...item,
    kind,
    parent,
    replyToId: fields.id('reply_to_id'),
    text: fields.text('text') ?? '',
  };
  // What is in the trash is only counted.
  if (item.isTrashed) return { ...bare, attachments: [], options: [], reactions: [] };
  if (fields.idOf('embed') !== undefined) rest.embeds += 1;
  if (fields.idOf('meeting') !== undefined) rest.meetings += 1;
  const own = `${paths[kind]}/${encodeURIComponent(item.id)}`;
  return {
    ...bare,
    attachments: await attachmentsOf(reading, fields, `${own}/attachments`),
    options: await optionsOf(reading, fields),
    reactions: await reactionsOf(reading, fields, `${own}/reactions`),
  };
}

async function attachmentsOf(reading: WeavyReading, fields: WeavyFields, path: string): Promise<WeavyFile[]> {
  const { items, count } = fields.list('attachments');
  const total = Math.max(count, fields.wholeNumber('attachment_count') ?? 0);
  if (total > attachmentsMax) throw new RecordFault(`it has more than ${attachmentsMax} attachments`);
  const read = (each: WeavyFields) => readFile(reading, each);
  const given = items.map((item) => read(weavyFields(item, 'an attachment')));
  return await completed(reading, { given, total, path, what: 'attachment', read });
}

async function optionsOf(reading: WeavyReading, fields: WeavyFields): Promise<WeavyOption[]> {
  const { items, count } = fields.list('options');
  if (Math.max(count, items.length) > optionsMax)
    throw new RecordFault(`it has more than ${optionsMax} options`);
  const options: WeavyOption[] = [];
  for (const item of items) {
    const option = weavyFields(item, 'an option');
    const text = option.text('text');
    if (text === undefined) throw new RecordFault('an option has no text');
    options.push({ text, voterIds: await votersOf(reading, option) });
  }
  return options;
}

/** The users who chose an option: in the option itself, in a list of its own, or in the option asked for alone. */
async function votersOf(reading: WeavyReading, option: WeavyFields): Promise<string[]> {
  const total = option.count('vote_count', 'votes') ?? 0;
  const read = (each: WeavyFields) => {
    reading.named.set(each.ownId(), reading.named.get(each.ownId()) ?? undefined);
    return each.ownId();
  };
  const inside = (each: WeavyFields) =>
    [...each.list('voters').items, ...each.list('votes').items].map((item) =>
      read(weavyFields(item, 'a voter')),
    );
  const given = inside(option);
  if (given.length >= total) return given;
  const path = `/api/options/${encodeURIComponent(option.ownId())}`;
  const listed = await reading.lists.all({ path: `${path}/voters`, what: 'voter' }, read);
  if (listed !== undefined) return listed;
  const asked = await reading.lists.get(path);
  const found = asked === undefined ? given : inside(weavyFields(asked, 'an option'));
  reading.rest.unlisted += Math.max(total - found.length, 0);
  return found;
}

async function reactionsOf(
  reading: WeavyReading,
  fields: WeavyFields,
  path: string,
): Promise<WeavyReaction[]> {
  const { items, count } = fields.list('reactions');
  const createdAt = fields.time('created_at');
  const read = (each: WeavyFields): WeavyReaction => {
    const content = each.text('content');
    const userId = userIn(reading, each, 'created_by');
    if (content === undefined || userId === undefined) throw new RecordFault('a reaction has no author');
    return { userId, content, createdAt: each.has('created_at') ? each.time('created_at') : createdAt };
  };
  const given = items.map((item) => read(weavyFields(item, 'a reaction')));
  if (given.length >= count) return given;
  // In the second form a reaction has no id of its own, so that a list of them cannot be told apart by it.
  const asked = await reading.lists.get(`${path}?top=100&take=100`);
  const more = asked === undefined ? [] : weavyFields({ asked }, 'the reactions').list('asked').items;
  const found =
    more.length > given.length ? more.map((item) => read(weavyFields(item, 'a reaction'))) : given;
  reading.rest.unlisted += Math.max(count - found.length, 0);
  return found;
}

/** A list that an object has only the beginning of, read in full. */
async function completed<T>(
  { lists, rest }: WeavyReading,
  list: {
    readonly given: T[];
    readonly total: number;
    readonly path: string;
    readonly what: string;
    readonly read: (fields: WeavyFields) => T;
  },
): Promise<T[]> {
  const { given, total, read } = list;
  if (given.length >= total) return given;
  const found = (await lists.all(list, read)) ?? given;
  rest.unlisted += Math.max(total - found.length, 0);
  return found;
}

/** A file of a files app. */
export function readAppFile(reading: WeavyReading, fields: WeavyFields, appId: string): WeavyAppFile {
  const version = fields.wholeNumber('version') ?? fields.wholeNumber('rev') ?? 1;
  if (!fields.flag('is_trashed')) reading.rest.versions += Math.max(version - 1, 0);
  return { ...readItem(reading, fields, appId), kind: 'file', file: readFile(reading, fields) };
}
