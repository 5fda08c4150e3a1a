import type { EntryCreate, EntryPatch } from '../../contract/entries.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { readableApp, type WritableApp, writableApp } from '../access/access.ts';
import { listAttachments } from '../attachments/attachment-lists.ts';
import {
  createEntry,
  type Entry,
  type EntryKind,
  editEntry,
  entryDetail,
  entryReaders,
  linksOf,
  type Place,
  prepareDraft,
  prepareEdit,
  readableEntry,
} from './entries.ts';
import { listEntriesOf } from './entry-lists.ts';
import { deleteEntry } from './entry-removal.ts';
import { setEntryTrash } from './entry-trash.ts';

/** A kind of entry as its feature declares it. */
export type KindDeclaration = {
  readonly db: Db;
  readonly clock: Clock;
  readonly resource: EntryKind;
  /** The types of the apps that entries of this kind are created in. */
  readonly appTypes: readonly string[];
  /** What the kind writes down besides when an entry has been created. */
  readonly onCreated?: (tx: Tx, principal: Principal, app: WritableApp, entry: Entry) => Promise<unknown>;
  /** The same when an entry has been put in the trash, taken out of it or deleted. */
  readonly onMoved?: (tx: Tx, entry: Entry) => Promise<unknown>;
};

/** The operations that every kind of entry has; each change is one transaction. */
export function createEntryOperations({
  db,
  clock,
  resource,
  appTypes,
  onCreated,
  onMoved,
}: KindDeclaration) {
  async function create(
    principal: Principal,
    input: Input<EntryCreate>,
    findPlace: (tx: Tx) => Promise<Place>,
  ): Promise<Json> {
    const draft = input.read(entryReaders).map(prepareDraft);
    return await db.write(async (tx) => {
      const place = await findPlace(tx);
      const entry = await createEntry(tx, principal, resource, place, draft.valid(), { at: clock.now() });
      await onCreated?.(tx, principal, place.app, entry);
      return await entryDetail(tx, principal, resource, entry);
    }, 'adding');
  }

  async function setTrashed(principal: Principal, id: number, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const wanted = { isTrashed, at: clock.now() };
      const { entry, isChanged } = await setEntryTrash(tx, principal, resource, id, wanted);
      if (isChanged) await onMoved?.(tx, entry);
      return await entryDetail(tx, principal, resource, entry);
    });
  }

  return {
    /** Creates an entry where `findPlace` says, which settles access. */
    create,

    createInApp: async (principal: Principal, ref: Ref, input: Input<EntryCreate>) =>
      await create(principal, input, async (tx) => {
        const app = await writableApp(tx, principal, ref);
        if (!appTypes.includes(app.type))
          throw invalidField('', 'app_type', `cannot be a ${resource.kind} in an app of type ${app.type}`);
        return { app, parentType: 'app', parentId: app.id };
      }),

    async get(principal: Principal, id: number, query: { trashed?: boolean }): Promise<Json> {
      const { entry } = await readableEntry(
        db.read,
        principal,
        resource,
        id,
        query.trashed === true ? 'any' : 'live',
      );
      return await entryDetail(db.read, principal, resource, entry);
    },

    async update(principal: Principal, id: number, input: Input<Clearable<EntryPatch>>): Promise<Json> {
      const edit = input.read(entryReaders).map(prepareEdit);
      return await db.write(async (tx) => {
        const entry = await editEntry(tx, principal, resource, id, edit, clock.now());
        return await entryDetail(tx, principal, resource, entry);
      });
    },

    list: async (principal: Principal, list: ListQuery) =>
      await listEntriesOf(db.read, principal, resource, undefined, list),

    async listOfApp(principal: Principal, ref: Ref, list: ListQuery): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      const read = await db.readForList();
      return await listEntriesOf(read, principal, resource, { type: 'app', id: app.id }, list);
    },

    trash: async (principal: Principal, id: number) => await setTrashed(principal, id, true),
    restore: async (principal: Principal, id: number) => await setTrashed(principal, id, false),

    async delete(principal: Principal, id: number): Promise<undefined> {
      await db.write(async (tx) => {
        const entry = await deleteEntry(tx, principal, resource, id, clock.now());
        await onMoved?.(tx, entry);
      });
    },

    async listAttachments(principal: Principal, id: number, list: ListQuery): Promise<Json> {
      const { entry } = await readableEntry(db.read, principal, resource, id);
      const read = await db.readForList();
      return await listAttachments({ read, caller: principal, links: linksOf(resource), list }, { entry });
    },
  };
}
