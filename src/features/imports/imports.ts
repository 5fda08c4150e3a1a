import type { Db, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import type { WritableApp } from '../access/access.ts';
import { appAccess, upsertableApp } from '../access/app-access.ts';
import { findUser } from '../access/user-access.ts';
import { addApp } from '../apps/app-changes.ts';
import { createEntry } from '../entries/create.ts';
import { type Draft, draftOf } from '../entries/entry-body.ts';
import { makeUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { readDisqus } from './disqus.ts';
import type { ImportFile, ImportKind } from './import-file.ts';
import type { ImportPlan, PlannedApp, PlannedComment, PlannedUser } from './import-plan.ts';
import { importedComments, insertImported } from './imports.store.ts';
import { readWordpress } from './wordpress.ts';

/**
 * Imports bring comments from other systems into the store, from an export that has been planned. They use the
 * functions that requests use, so that counts, search, tags and the event log are right. Webhooks are left out: the
 * content is old.
 *
 * Comments are written in batches, each in one transaction that also remembers in `imports` what became of every
 * comment. So a server on the same folder keeps answering, and an import that was interrupted is completed by running
 * it again: what is remembered is not written twice. Apps and users are made with their first comment, so that an
 * import with nothing to add adds nothing.
 */

/** The most comments of one transaction: some tens of milliseconds in which the server waits with its own writes. */
const batchCommentsMax = 200;

/** What was made, and not there before. */
export type Made = { readonly apps: number; readonly users: number; readonly comments: number };

/** How an import is written. */
export type ImportOptions = {
  /**
   * Whether authors keep their e-mail addresses. The source never published them, and everyone who may read a comment
   * may read its author, so they are left out by default.
   */
  readonly keepsEmails: boolean;
};

/** Reads an export. Throws an `ImportError` when it cannot be read at all. */
export async function readExport(kind: ImportKind, path: string): Promise<ImportFile> {
  return kind === 'wordpress' ? await readWordpress(path) : await readDisqus(path);
}

/** The imports feature: comments that were written elsewhere. */
export function createImports({ db, clock }: { db: Db; clock: Clock }) {
  /** Throws an Error that names the apps which cannot take their comments, before anything is written. */
  async function assertAppsUsable(system: Principal, uids: ReadonlySet<string>): Promise<void> {
    const faults: string[] = [];
    for (const uid of uids) {
      const app = await upsertableApp(db.read, system, uid);
      if (app === undefined) continue;
      if (app.type !== 'comments') faults.push(`the app "${uid}" is of type ${app.type}`);
      else if (app.trashedAt !== null) faults.push(`the app "${uid}" is in the trash`);
    }
    if (faults.length > 0) throw new Error(`nothing was imported: ${faults.join('; ')}`);
  }

  return {
    /**
     * Writes what the plan has and the store has not. Throws an Error, with nothing written, when an app of one of the
     * uids is there that cannot take comments.
     */
    async write(plan: ImportPlan, options: ImportOptions): Promise<Made> {
      const user = await findUser(db.read, { id: systemUserId });
      if (user === undefined) throw new Error('the store has no system user');
      const system: Principal = { kind: 'key', user };
      const known = await knownIds(db.read, plan.comments);
      const wanted = plan.comments.filter(({ sourceId }) => !known.has(sourceId));
      await assertAppsUsable(system, new Set(wanted.map(({ appUid }) => appUid)));
      const parts = { system, options, pageOf: byUid(plan.apps), personOf: byUid(plan.users) };
      let made: Made = { apps: 0, users: 0, comments: 0 };
      for (let start = 0; start < wanted.length; start += batchCommentsMax) {
        const batch = wanted.slice(start, start + batchCommentsMax).map(prepared);
        const more = await db.write((tx) => writeBatch({ ...parts, tx, at: clock.now() }, batch));
        made = {
          apps: made.apps + more.apps,
          users: made.users + more.users,
          comments: made.comments + more.comments,
        };
      }
      return made;
    },
  };
}

/** A comment with its text rendered ahead of the transaction. */
type PreparedComment = PlannedComment & { readonly draft: Draft };

function prepared(planned: PlannedComment): PreparedComment {
  return { ...planned, draft: draftOf({ text: planned.text }) };
}

async function knownIds(
  read: Pick<Db['read'], 'all'>,
  comments: readonly PlannedComment[],
): Promise<Map<string, number>> {
  const source = comments[0]?.source;
  if (source === undefined) return new Map();
  const sourceIds = comments.flatMap(({ sourceId, parentSourceId }) =>
    parentSourceId === undefined ? [sourceId] : [sourceId, parentSourceId],
  );
  const rows = await read.all(importedComments, { source, sourceIds: [...new Set(sourceIds)] });
  return new Map(rows.map((row) => [row.sourceId, row.commentId]));
}

type Batch = {
  readonly tx: Tx;
  readonly system: Principal;
  readonly at: number;
  readonly pageOf: (uid: string) => PlannedApp;
  readonly personOf: (uid: string) => PlannedUser;
  readonly options: ImportOptions;
};

async function writeBatch(batch: Batch, comments: readonly PreparedComment[]): Promise<Made> {
  const { tx } = batch;
  // Read again, because another import may have written them since.
  const known = await knownIds(tx, comments);
  const apps = cached((uid) => placeOf(batch, uid));
  const users = cached((uid) => authorOf(batch, uid));
  const written: { readonly sourceId: string; readonly commentId: number }[] = [];
  for (const planned of comments) {
    const { source, sourceId, parentSourceId, draft } = planned;
    if (known.has(sourceId)) continue;
    const { app } = await apps.get(planned.appUid);
    const { user } = await users.get(planned.userUid);
    const parentId = parentSourceId === undefined ? undefined : known.get(parentSourceId);
    const metadata = {
      source,
      source_id: sourceId,
      ...(parentId === undefined ? {} : { parent_id: parentId }),
    };
    // Imported comments have no attachments, so nothing makes addresses of them.
    const { id } = await createEntry(
      { tx, caller: { kind: 'key', user }, at: planned.createdAt, links: undefined },
      { kind: 'comment', parent: { app }, isSilent: true },
      { ...draft, content: { ...draft.content, metadata } },
    );
    known.set(sourceId, id);
    written.push({ sourceId, commentId: id });
  }
  const [first] = comments;
  if (first !== undefined && written.length > 0)
    await tx.run(insertImported, {
      source: first.source,
      sourceIds: written.map(({ sourceId }) => sourceId),
      commentIds: written.map(({ commentId }) => commentId),
    });
  return { apps: apps.made(), users: users.made(), comments: written.length };
}

/** Remembers for one transaction what `find` answered, and counts what it had to make. */
function cached<T extends { readonly isNew: boolean }>(find: (uid: string) => Promise<T>) {
  const found = new Map<string, T>();
  return {
    async get(uid: string): Promise<T> {
      const value = found.get(uid) ?? (await find(uid));
      found.set(uid, value);
      return value;
    },
    made: () => [...found.values()].filter(({ isNew }) => isNew).length,
  };
}

function byUid<T extends { readonly uid: string }>(list: readonly T[]): (uid: string) => T {
  const found = new Map(list.map((each) => [each.uid, each]));
  return (uid) => {
    const each = found.get(uid);
    if (each === undefined) throw new Error(`the plan does not describe ${uid}`);
    return each;
  };
}

/**
 * The app of a page, made if it is not there. The app of a page that everyone could read and comment on is open in the
 * same way, with access `write`: whoever the host gives a token may read on and answer, and nobody without one sees
 * anything. That of a page which the source kept from the public has access `none`, so only an API key sees it until
 * the host lets somebody in. An app that is there keeps the access its host gave it.
 */
async function placeOf(batch: Batch, uid: string): Promise<{ app: WritableApp; isNew: boolean }> {
  const { tx, system, at } = batch;
  const page = batch.pageOf(uid);
  const isThere = (await upsertableApp(tx, system, uid)) !== undefined;
  if (!isThere)
    await addApp(
      { tx, caller: system, at },
      {
        uid,
        type: 'comments',
        isSilent: true,
        fields: {
          access: page.isRestricted ? 'none' : 'write',
          ...(page.name === undefined ? {} : { name: page.name }),
          metadata: JSON.stringify({ url: page.link }),
        },
      },
    );
  const look = { read: tx, caller: system, ref: { uid }, isTrashedIncluded: false };
  return { app: await appAccess.write(look), isNew: !isThere };
}

/** The user of an author, made if there is none of this uid. An equal e-mail address joins nobody: it was not verified. */
async function authorOf(batch: Batch, uid: string): Promise<{ user: User; isNew: boolean }> {
  const { tx, system, at, options } = batch;
  const found = await findUser(tx, { uid });
  if (found !== undefined) return { user: found, isNew: false };
  const author = batch.personOf(uid);
  const values = {
    name: author.name,
    ...(author.email === undefined || !options.keepsEmails ? {} : { email: author.email }),
    ...(author.url === undefined ? {} : { metadata: JSON.stringify({ url: author.url }) }),
  };
  const user = await makeUser({ tx, caller: system, at }, uid, { values });
  if (user === undefined) throw new Error(`the uid ${uid} was taken inside a transaction`);
  return { user, isNew: true };
}
