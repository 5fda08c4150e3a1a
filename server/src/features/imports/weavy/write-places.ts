import { asManageable, type ReadableApp } from '../../../access/access.ts';
import { appAccess, upsertableApp } from '../../../access/app-access.ts';
import { findUser } from '../../../access/user/user-access.ts';
import type { Read } from '../../../db/db.ts';
import type { User } from '../../../kernel/principal.ts';
import { addApp, trashOrRestoreApp } from '../../apps/app-changes.ts';
import { findPrivateChat, makePrivateChat, type Pair } from '../../conversations/imported-chats.ts';
import { directoryForUser } from '../../directories/user-directory.ts';
import { putMembers } from '../../members/member-changes.ts';
import { actorOf } from '../../users/user-json.ts';
import { systemUserId } from '../../users/users.sql.ts';
import { keyOf, type PlannedPlace } from './weavy-plan.ts';
import { earlierThings, type WeavyWriting, type Written } from './weavy-things.ts';

/**
 * Writes apps with their members. An app that was here before keeps its access and its members: somebody has decided about
 * them since. Users must be written before.
 */
export async function writePlaces(
  writing: WeavyWriting,
  places: readonly PlannedPlace[],
): Promise<Written[]> {
  const { tx, source } = writing;
  const earlier = await earlierThings(tx, source, [
    ...places.map(({ id }) => keyOf('app', id)),
    ...places.flatMap(({ members }) => members.map(({ userId }) => keyOf('user', userId))),
  ]);
  const written: Written[] = [];
  for (const place of places) {
    const key = keyOf('app', place.id);
    const before = earlier.get(key);
    if (before !== undefined && !before.isUndone) continue;
    if (before !== undefined) {
      await restore(writing, before.id);
      written.push({ key, type: 'app', id: before.id, was: 'restored' });
      continue;
    }
    const members = [];
    for (const { userId, access, role } of place.members) {
      const known = earlier.get(keyOf('user', userId));
      const user = known && (await findUser(tx, { id: known.id }));
      // The built-in user belongs to no app, and a membership would change nothing for a visitor.
      if (user !== undefined && user.id !== systemUserId && user.way === null)
        members.push({ user, access, role: role ?? null });
    }
    written.push({ key, type: 'app', ...(await writePlace(writing, place, members)) });
  }
  return written;
}

type PlannedMembership = {
  readonly user: User;
  readonly access: string;
  readonly role: 'manager' | 'moderator' | null;
};

async function writePlace(
  writing: WeavyWriting,
  place: PlannedPlace,
  members: readonly PlannedMembership[],
): Promise<Pick<Written, 'id' | 'was'>> {
  const { tx, system: caller, people } = writing;
  const [one, other] = members;
  const pair: Pair | undefined =
    place.type === 'private_chat' && members.length === 2 && one !== undefined && other !== undefined
      ? [one.user.id, other.user.id]
      : undefined;
  const chat = pair && (await findPrivateChat(tx, pair));
  if (chat !== undefined) return { id: chat, was: 'there' };
  const present = await upsertableApp(tx, caller, place.uid);
  if (present !== undefined) return { id: present.id, was: 'there' };
  const app = await makePlace(writing, place);
  if (pair !== undefined) await makePrivateChat(tx, pair, app.id);
  // At the moment of the app: by that, taking it back tells them from those who join later.
  const change = { tx, caller, on: asManageable(app), at: app.createdAt, people, isSilent: true };
  await putMembers(
    change,
    members.map(({ user, ...membership }) => ({ ref: { id: user.id }, ...membership })),
  );
  return { id: app.id, was: 'made' };
}

async function makePlace(
  { tx, system: caller, at }: WeavyWriting,
  place: PlannedPlace,
): Promise<ReadableApp> {
  const { uid, type, access, name, description, directory, metadata, tags } = place;
  if (directory !== undefined)
    await directoryForUser({ tx, actor: actorOf(caller), at, isVisitor: false }, { uid: directory });
  const fields = {
    access,
    tags: [...tags],
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(directory === undefined ? {} : { directory }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
  };
  const app = await addApp({ tx, caller, at }, { uid, type, fields, isSilent: true });
  if (app === undefined) throw new Error(`the uid ${uid} was taken inside a transaction`);
  return app;
}

async function restore({ tx, system: caller, at }: WeavyWriting, id: number): Promise<void> {
  const app = await appAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: true });
  await trashOrRestoreApp({ tx, caller, at }, app, { isTrashed: false, isSilent: true });
}

/** Why an app of a plan cannot be written, as half a sentence; undefined where it can. */
export async function placeFault(
  { tx, system, source }: Pick<WeavyWriting, 'system' | 'source'> & { readonly tx: Read },
  { id, uid, type }: PlannedPlace,
): Promise<string | undefined> {
  const before = (await earlierThings(tx, source, [keyOf('app', id)])).get(keyOf('app', id));
  if (before !== undefined) return undefined;
  const app = await upsertableApp(tx, system, uid);
  if (app === undefined) return undefined;
  if (app.type !== type) return `the app "${uid}" is of type ${app.type}`;
  return app.trashedAt === null ? undefined : `the app "${uid}" is in the trash`;
}
