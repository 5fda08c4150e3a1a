import type { DirectoryCreate, DirectoryPatch } from '../../contract/directories.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { isUniqueViolation, searchExpression } from '../../db/dialect.ts';
import { directoryIndex } from '../../db/search-index.ts';
import { changeCount, countOf } from '../../db/tallies.ts';
import { type Action, append, type NewEvent } from '../../events/events.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import { sortKey } from '../../kernel/fold.ts';
import { parseRef, type Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { invalidField, notFound, Problem } from '../../kernel/problem.ts';
import { parseQuestion, searchWords } from '../../kernel/search.ts';
import {
  countDirectories,
  type DirectoryListShape,
  deleteDirectory,
  deleteDirectoryCounts,
  directoryById,
  directoryByName,
  insertDirectory,
  listDirectories,
  renameDirectory,
  usesOfDirectory,
} from './directories.store.ts';

/** A directory as features see one. */
export type Directory = { readonly id: number; readonly name: string };

type Actor = NewEvent['actor'];

const directoryTally = { parentType: 'server', parentId: 0, kind: 'directory' } as const;

function renderDirectory(directory: Directory): Json {
  return json(`{"id":${directory.id},"name":${jsonString(directory.name)}}`);
}

/** The directory with this id, rendered, if there is one. */
export async function renderedDirectory(read: Read, id: number): Promise<Json | undefined> {
  const directory = await read.get(directoryById, { id });
  return directory === undefined ? undefined : renderDirectory(directory);
}

async function findDirectory(read: Read, ref: Ref): Promise<Directory | undefined> {
  return 'id' in ref
    ? await read.get(directoryById, { id: ref.id })
    : await read.get(directoryByName, { name: ref.uid });
}

/**
 * The directory, if the caller may know of it: an API key knows all, a user only their own. Throws `not_found`, in the
 * same words for hidden and absent.
 */
export async function visibleDirectory(read: Read, principal: Principal, ref: Ref): Promise<Directory> {
  const directory = await findDirectory(read, ref);
  const isHidden = principal.kind === 'token' && principal.user.directoryId !== directory?.id;
  if (directory === undefined || isHidden) throw notFound('directory');
  return directory;
}

function taken(name: string): Problem {
  return new Problem('name_taken', 'A directory with this name exists.', {
    errors: [{ pointer: '/name', code: 'taken', message: `${name} is the name of another directory` }],
  });
}

async function record(
  tx: Tx,
  actor: Actor,
  directory: Directory,
  change: { action: Action; at: UnixMs },
): Promise<void> {
  await append(tx, {
    ...change,
    actor,
    appId: null,
    entity: { id: directory.id, json: renderDirectory(directory) },
  });
}

/** Inserts a directory with its event, or answers undefined when the name is taken. */
async function insert(
  tx: Tx,
  actor: Actor,
  { name, at }: { name: string; at: UnixMs },
): Promise<Directory | undefined> {
  const row = await tx.get(insertDirectory, { name, nameKey: sortKey(name), at });
  if (row === undefined) return undefined;
  const directory = { id: row.id, name };
  tx.later(directoryIndex, { id: row.id, words: searchWords(name), isNew: true });
  await changeCount(tx, { ...directoryTally, appId: 0 }, { live: 1, trashed: 0 });
  await record(tx, actor, directory, { action: 'directory_created', at });
  return directory;
}

/** Reads the `directory` field of a user: an id or a name. Throws `validation_failed` when it can be neither. */
export function readDirectoryField(sent: string): Ref {
  const ref = parseRef(sent);
  if (ref === undefined) throw invalidField('/directory', 'invalid', 'must be the id or name of a directory');
  return ref;
}

/**
 * The id of the directory that a user is put into; must run in the transaction that does so. A name that no directory
 * has makes one, because hosts name their customers without announcing them. Throws `validation_failed` for an id
 * that is none.
 */
export async function directoryForUser(
  tx: Tx,
  actor: Actor,
  wanted: { ref: Ref; at: UnixMs },
): Promise<number> {
  const { ref, at } = wanted;
  const found = await findDirectory(tx, ref);
  if (found !== undefined) return found.id;
  if ('id' in ref) throw invalidField('/directory', 'not_found', 'names no directory');
  const made = (await insert(tx, actor, { name: ref.uid, at })) ?? (await findDirectory(tx, ref));
  if (made === undefined) throw new Error('a directory was neither made nor found');
  return made.id;
}

/** What the directories feature does; see the operations of the same names. */
export type Directories = ReturnType<typeof createDirectories>;

/**
 * The directories feature: groups of people who see each other. `actorOf` says who did something; the users feature has
 * it and stands on this one.
 */
export function createDirectories({
  db,
  clock,
  actorOf,
}: {
  db: Db;
  clock: Clock;
  actorOf: (user: User) => Actor;
}) {
  return {
    async createDirectory(principal: Principal, input: Input<DirectoryCreate>): Promise<Json> {
      return await db.write(async (tx) => {
        const { name } = input.valid();
        const directory = await insert(tx, actorOf(principal.user), { name, at: clock.now() });
        if (directory === undefined) throw taken(name);
        return renderDirectory(directory);
      });
    },

    async getDirectory(principal: Principal, ref: Ref): Promise<Json> {
      return renderDirectory(await visibleDirectory(db.read, principal, ref));
    },

    async updateDirectory(
      principal: Principal,
      ref: Ref,
      input: Input<Clearable<DirectoryPatch>>,
    ): Promise<Json> {
      return await db.write(async (tx) => {
        const directory = await visibleDirectory(tx, principal, ref);
        const changed = { id: directory.id, name: input.valid().name ?? directory.name };
        if (changed.name === directory.name) return renderDirectory(directory);
        try {
          await tx.run(renameDirectory, { ...changed, nameKey: sortKey(changed.name) });
        } catch (error) {
          if (isUniqueViolation(error, 'directories.name')) throw taken(changed.name);
          throw error;
        }
        tx.later(directoryIndex, { id: directory.id, words: searchWords(changed.name) });
        await record(tx, actorOf(principal.user), changed, { action: 'directory_updated', at: clock.now() });
        return renderDirectory(changed);
      });
    },

    /** Throws `validation_failed` while a user or an app belongs to the directory, in the trash or not. */
    async deleteDirectory(principal: Principal, ref: Ref): Promise<undefined> {
      await db.write(async (tx) => {
        const directory = await visibleDirectory(tx, principal, ref);
        const { id } = directory;
        const used = usesInWords(await tx.get(usesOfDirectory, { id }));
        if (used !== undefined)
          throw new Problem('validation_failed', `The directory is in use by ${used}. Move them out first.`);
        tx.later(directoryIndex, { id, words: null });
        await tx.run(deleteDirectoryCounts, { id });
        await tx.run(deleteDirectory, { id });
        await changeCount(tx, { ...directoryTally, appId: 0 }, { live: -1, trashed: 0 });
        await record(tx, actorOf(principal.user), directory, {
          action: 'directory_deleted',
          at: clock.now(),
        });
      });
    },

    async listDirectories(principal: Principal, list: ListQuery): Promise<Json> {
      const isLimited = principal.kind === 'token';
      // Nothing of this kind has a tag or is in the trash.
      if (list.tag !== undefined || list.trashed === true)
        return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const terms = parseQuestion(list.q);
      const shape: DirectoryListShape = {
        order: list.order.field as DirectoryListShape['order'],
        descending: list.order.descending,
        hasQuestion: terms !== undefined,
        isLimited,
      };
      const key = JSON.stringify(shape);
      const parameters = {
        id: principal.user.directoryId ?? 0,
        question: terms === undefined ? '' : searchExpression(terms),
        top: list.top,
        skip: list.skip,
      };
      const count = !list.count
        ? undefined
        : isLimited || shape.hasQuestion
          ? ((await db.read.get(countDirectories(key), parameters))?.count ?? 0)
          : await countOf(db.read, directoryTally, false);
      if (list.countOnly) return envelope(list, { items: [], count });
      const rows = await db.read.all(listDirectories(key), parameters);
      return envelope(list, { items: rows.map(renderDirectory), count });
    },
  };
}

type Uses = {
  readonly users: number | null;
  readonly firstUser: string | null;
  readonly apps: number | null;
  readonly firstApp: string | null;
};

/** Who uses a directory, such as `2 users (ada and others) and 1 app (product-42)`; undefined for nobody. */
function usesInWords(uses: Uses | undefined): string | undefined {
  const kinds = [
    { noun: 'user', count: uses?.users ?? 0, first: uses?.firstUser },
    { noun: 'app', count: uses?.apps ?? 0, first: uses?.firstApp },
  ].filter((kind) => kind.count > 0);
  if (kinds.length === 0) return undefined;
  return kinds
    .map(({ noun, count, first }) =>
      count === 1 ? `1 ${noun} (${first})` : `${count} ${noun}s (${first} and others)`,
    )
    .join(' and ');
}
