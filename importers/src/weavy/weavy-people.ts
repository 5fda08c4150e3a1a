import type { AppType } from 'confab-contract/apps.ts';
import type { WeavyFields } from './weavy-fields.ts';
import type { WeavyLists } from './weavy-lists.ts';
import type { WeavyApp, WeavyMember, WeavyUser } from './weavy-records.ts';

/** Users, apps and members of a Weavy server. */

/** The types by the guid that stands for them; servers give the one or the other. */
const typesByGuid: ReadonlyMap<string, AppType> = new Map([
  ['d65dd4bc-418e-403c-9f56-f9cf4da931ed', 'chat'],
  ['88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd', 'comments'],
  ['523edd88-4bbf-4547-b60f-2859a6d2ddc1', 'files'],
  ['5ebfa152-de85-48da-82dd-30a1b560c313', 'posts'],
  ['edb400ac-839b-45a7-b2a8-6a01820d1c44', 'chat_room'],
  ['7e14f418-8f15-46f4-b182-f619b671e470', 'private_chat'],
  ['2352a1c6-abc6-420e-8b85-ca7d5aed8779', 'agent_chat'],
]);

function typeOf(text: string | undefined): AppType | undefined {
  const folded = text?.toLowerCase() ?? '';
  return typesByGuid.get(folded) ?? [...typesByGuid.values()].find((type) => type === folded);
}

/** The names of the directories by their ids; none on a server without directories. */
export async function readDirectories(lists: WeavyLists): Promise<ReadonlyMap<string, string>> {
  const read = (fields: WeavyFields) => [fields.ownId(), fields.text('name') ?? ''] as const;
  return new Map(await lists.all({ path: '/api/directories', what: 'directory' }, read));
}

type Directories = ReadonlyMap<string, string>;

/** The name of the directory of a user or app, in either form: a field of its own, or the first of a list. */
function directoryOf(fields: WeavyFields, directories: Directories): string | undefined {
  const [first] = fields.list('directories').items;
  const named = typeof first === 'object' && first !== null && 'name' in first ? first.name : undefined;
  if (typeof named === 'string' && named !== '') return named;
  const inner = fields.object('directory');
  return inner?.text('name') ?? directories.get(fields.id('directory_id') ?? inner?.id('id') ?? '');
}

/** A user as a list of users or the author of something shows them. */
export function readUser(fields: WeavyFields, directories: Directories = new Map()): WeavyUser {
  return {
    id: fields.ownId(),
    uid: fields.text('uid'),
    name: fields.displayName() ?? fields.text('uid') ?? 'Anonymous',
    email: fields.text('email'),
    directory: directoryOf(fields, directories),
    metadata: fields.metadata(),
    tags: fields.tags(),
    isBot: fields.flag('is_bot') || fields.flag('is_agent'),
    isSuspended: fields.flag('is_suspended'),
    isTrashed: fields.flag('is_trashed'),
  };
}

function accessOf(text: string | undefined): 'none' | 'read' | 'write' {
  return text === 'read' || text === 'write' ? text : text === 'admin' ? 'write' : 'none';
}

/** A member; the access `admin` of the second form is the role of a manager. */
function readMember(fields: WeavyFields): WeavyMember {
  const access = fields.text('access');
  const role = fields.text('role');
  const markedId = fields.id('marked_id');
  return {
    userId: fields.ownId(),
    access: accessOf(access),
    role: access === 'admin' ? 'manager' : role === 'manager' || role === 'moderator' ? role : undefined,
    markedId,
    markedAt: markedId !== undefined && fields.has('marked_at') ? fields.time('marked_at') : undefined,
  };
}

/** An app without its members. */
function readApp(
  fields: WeavyFields,
  directories: Directories,
): WeavyApp & { createdById: string | undefined } {
  const type = typeOf(fields.text('type'));
  const name = fields.text('name');
  return {
    id: fields.ownId(),
    type,
    uid: fields.text('uid'),
    // A private chat is called by the name of the other person, and in the second form an app without a name by its uid.
    name: type === 'private_chat' || name === fields.text('uid') ? undefined : name,
    description: fields.text('description'),
    access: accessOf(fields.text('access')),
    directory: directoryOf(fields, directories),
    metadata: fields.metadata(),
    tags: fields.tags(),
    isTrashed: fields.flag('is_trashed'),
    members: [],
    createdById: fields.idOf('created_by'),
  };
}

/** All apps with their members, those of conversations as well. */
export async function readApps(lists: WeavyLists, directories: Directories): Promise<WeavyApp[]> {
  const apps = new Map<string, ReturnType<typeof readApp>>();
  // A server gives the apps of pages alone unless it is asked for the others too; newer ones give all of them twice.
  for (const contextual of ['true', 'false']) {
    const query = { trashed: 'null', contextual };
    const found = await lists.all({ path: '/api/apps', what: 'app', query }, (fields) =>
      readApp(fields, directories),
    );
    for (const app of found ?? []) apps.set(app.id, app);
  }
  const read: WeavyApp[] = [];
  for (const { createdById, ...app } of apps.values())
    read.push(
      app.type === undefined || app.isTrashed ? app : { ...app, members: await membersOf(app, createdById) },
    );
  return read;

  async function membersOf(
    { id, type }: Pick<WeavyApp, 'id' | 'type'>,
    createdById: string | undefined,
  ): Promise<readonly WeavyMember[]> {
    const path = `/api/apps/${encodeURIComponent(id)}/members`;
    const query = { suspended: 'null' };
    const members = (await lists.all({ path, what: `member of the app ${id}`, query }, readMember)) ?? [];
    // A room in which nobody has a role is managed by its creator, as on servers before version 23.
    if (type !== 'chat_room' || members.some(({ role }) => role !== undefined)) return members;
    return members.map((each) => (each.userId === createdById ? { ...each, role: 'manager' } : each));
  }
}
