import type { WritableApp } from '../../access/access.ts';
import { appAccess, upsertableApp } from '../../access/app-access.ts';
import { entryAccess } from '../../access/entry/entry-access.ts';
import { heldState, shown } from '../../access/held.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { addApp, trashOrRestoreApp } from '../apps/app-changes.ts';
import { fieldsOfNewPage } from '../apps/visitor-pages.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { createEntry } from '../entries/create.ts';
import { draftOf } from '../entries/entry-body.ts';
import { queuedEntry } from '../entries/entry-json.ts';
import { recordEntry } from '../entries/entry-view.ts';
import { type Answered, answeredByImport } from '../entries/replies.ts';
import { setState } from '../entries/trash.ts';
import { enterQueue } from '../moderation/queue.ts';
import type { Site } from '../site/site-book.ts';
import { changeUser, makeUser, trashOrRestoreUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import type { PlannedApp, PlannedUser } from './import-plan.ts';
import { byUid, type PreparedComment, type Slice } from './import-source.ts';
import {
  forgetUndone,
  type ItemType,
  importedComments,
  insertImported,
  insertItems,
  takenUids,
  undoneItem,
} from './imports.store.ts';

/** Writes a slice of an import in one transaction, which also records every comment and what was made for it. */

/** The numbers of items that an import has made. */
export type CreatedCounts = {
  readonly comments: number;
  readonly restored: number;
  readonly apps: number;
  readonly users: number;
  /** Only of an import of a whole server. */
  readonly posts?: number;
  readonly messages?: number;
  readonly files?: number;
};

/** The transaction of a slice. `runId` is the import that makes it. */
export type Writing = {
  readonly tx: Tx;
  readonly at: number;
  readonly system: Principal;
  readonly runId: number;
  readonly links: BlobLinks | undefined;
  /** Whether users get the email addresses of the file. */
  readonly keepsEmails: boolean;
  /** What visitors may do on the pages that it makes. */
  readonly newPages: Pick<Site, 'visitors' | 'approval'>;
};

/** A comment that was imported before, and whether taking an import back put it in the trash. */
export type EarlierComment = { readonly commentId: number; readonly isUndone: boolean };

/** The comments of a slice that were imported before, and those that they reply to, by their ids in the source. */
export async function knownComments(
  read: Pick<Read, 'all'>,
  { source, comments }: { readonly source: string; readonly comments: readonly Identified[] },
): Promise<Map<string, EarlierComment>> {
  const ids = comments.flatMap(({ sourceId, parentSourceId }) =>
    parentSourceId === undefined ? [sourceId] : [sourceId, parentSourceId],
  );
  if (ids.length === 0) return new Map();
  const rows = await read.all(importedComments, { source, sourceIds: [...new Set(ids)] });
  return new Map(
    rows.map(({ sourceId, commentId, isUndone }) => [sourceId, { commentId, isUndone: isUndone === 1 }]),
  );
}
type Identified = Pick<PreparedComment, 'sourceId' | 'parentSourceId'>;

/**
 * Which pages have apps with a uid of 0.1.0, which made an app for each address of a page. The first app that is there
 * is the app of the page, and the others are left.
 */
export async function findFormerUids(read: Pick<Read, 'all'>, apps: readonly PlannedApp[]) {
  const uidsOf = ({ uid, formerUids }: PlannedApp) => [uid, ...formerUids];
  const rows = await read.all(takenUids, { uids: apps.flatMap(uidsOf) });
  const taken = new Set(rows.map(({ uid }) => uid));
  const matches = apps.map((app) => ({ app, uids: uidsOf(app).filter((uid) => taken.has(uid)) }));
  return {
    formerUids: new Map(
      matches.flatMap(({ app: { uid }, uids: [first] }) =>
        first === undefined || first === uid ? [] : [[uid, first] as const],
      ),
    ),
    otherUids: matches.flatMap(({ uids: [, ...others] }) => others),
  };
}

type Parts = Writing & {
  readonly uidOf: (page: string) => string;
  readonly pageOf: (uid: string) => PlannedApp;
  readonly personOf: (uid: string) => PlannedUser;
};

/** Writes what is in the slice and not in the store, and restores what was taken back. */
export async function writeSlice(writing: Writing, slice: Slice): Promise<CreatedCounts> {
  const { tx, runId } = writing;
  // Read again, because another import may have written them since.
  const known = await knownComments(tx, slice);
  const { formerUids } = await findFormerUids(tx, slice.apps);
  const parts: Parts = {
    ...writing,
    uidOf: (page) => formerUids.get(page) ?? page,
    pageOf: byUid(slice.apps),
    personOf: byUid(slice.users),
  };
  const apps = cached((uid) => placeOf(parts, uid));
  const users = cached((uid) => authorOf(parts, uid));
  const commentIds = new Map<string, number>();
  const restored: number[] = [];
  const answerable = slice.replies === 'quote' ? undefined : await answerableIn(tx, slice, known);
  for (const planned of slice.comments) {
    const { sourceId, parentSourceId } = planned;
    const before = known.get(sourceId);
    if (before?.isUndone === false) continue;
    const { app } = await apps.get(planned.appUid);
    const { user } = await users.get(planned.userUid);
    if (before !== undefined) {
      known.set(sourceId, { ...before, isUndone: false });
      await restoreComment(parts, before.commentId);
      restored.push(before.commentId);
      continue;
    }
    const parentId = parentSourceId === undefined ? undefined : known.get(parentSourceId)?.commentId;
    const inApp = parentId === undefined ? undefined : answerable?.get(parentId);
    const answered = inApp?.appId === app.id ? inApp.answered : undefined;
    const id = await createComment(parts, planned, {
      app,
      user,
      answered,
      ...(slice.replies === 'quote' && parentId !== undefined ? { parentId } : {}),
    });
    answerable?.set(id, { appId: app.id, answered: { replyToId: id, rootId: answered?.rootId ?? id } });
    known.set(sourceId, { commentId: id, isUndone: false });
    commentIds.set(sourceId, id);
  }
  if (commentIds.size > 0)
    await tx.run(insertImported, {
      source: slice.source,
      sourceIds: [...commentIds.keys()],
      commentIds: [...commentIds.values()],
    });
  await tx.run(forgetUndone, { type: 'comment', ids: restored });
  const items = [
    ...[...commentIds.values(), ...restored].map((id) => ({ type: 'comment', id, isMade: 1 })),
    ...apps.items('app', ({ app }) => app.id),
    ...users.items('user', ({ user }) => user.id),
  ];
  await tx.run(insertItems, { runId, items: JSON.stringify(items) });
  return {
    comments: commentIds.size,
    restored: restored.length,
    apps: apps.count('made'),
    users: users.count('made'),
  };
}

/** What the replies of a slice answer, of the comments that were imported before it. */
async function answerableIn(tx: Tx, { comments }: Slice, known: ReadonlyMap<string, EarlierComment>) {
  const ids = comments.flatMap(({ parentSourceId }) => known.get(parentSourceId ?? '')?.commentId ?? []);
  return await answeredByImport(tx, [...new Set(ids)]);
}

/** The place of a comment: what it answers in a thread, or the id that its metadata names where it quotes. */
type Place = {
  readonly app: WritableApp;
  readonly user: User;
  readonly answered: Answered | undefined;
  readonly parentId?: number;
};

/** Creates a comment at its time; returns its id. */
async function createComment(
  { tx, at }: Writing,
  { source, sourceId, createdAt, text, rendered, isResolved, isHeld }: PreparedComment,
  { app, user, answered, parentId }: Place,
): Promise<number> {
  const draft = draftOf({ text }, { text, ...rendered });
  const metadata = {
    source,
    source_id: sourceId,
    ...(parentId === undefined ? {} : { parent_id: parentId }),
  };
  // Imported comments have no attachments, so no addresses are needed.
  const { id } = await createEntry(
    { tx, caller: { kind: 'key', user }, at: createdAt, links: undefined },
    {
      kind: 'comment',
      parent: { app },
      answered,
      isSilent: true,
      // Sources do not say when. Only the comment that begins a thread can be resolved.
      ...(isResolved === true && answered === undefined ? { resolvedAt: at } : {}),
      ...(isHeld === true ? { heldAt: at } : {}),
    },
    { ...draft, content: { ...draft.content, metadata } },
  );
  return id;
}

/** Whether something was there, was made, or was in the trash because an import had been taken back. */
type ItemOrigin = { readonly was: 'there' | 'made' | 'undone' };

/** Caches the results of `find` for one transaction. */
function cached<T extends ItemOrigin>(find: (uid: string) => Promise<T>) {
  const cache = new Map<string, T>();
  return {
    async get(uid: string): Promise<T> {
      const value = cache.get(uid) ?? (await find(uid));
      cache.set(uid, value);
      return value;
    },
    count: (was: ItemOrigin['was']) => [...cache.values()].filter((each) => each.was === was).length,
    items: (type: ItemType, idOf: (value: T) => number) =>
      [...cache.values()].map((each) => ({ type, id: idOf(each), isMade: each.was === 'there' ? 0 : 1 })),
  };
}

/**
 * The app of a page, created if it does not exist. A public page becomes an app with access `write`: every user to whom
 * the host gives a token may read and reply, and visitors may do what they may on any new page. A page that the source hid
 * from the public gets access `none`, so only an API key sees it until the host adds members. An existing app keeps its
 * access and its visitors.
 */
async function placeOf(parts: Parts, page: string): Promise<ItemOrigin & { app: WritableApp }> {
  const { tx, system, at } = parts;
  const uid = parts.uidOf(page);
  const before = await upsertableApp(tx, system, uid);
  if (before === undefined) await addApp({ tx, caller: system, at }, newApp(parts, uid, parts.pageOf(page)));
  const isUndone =
    before !== undefined && before.trashedAt !== null && (await wasUndone(tx, 'app', before.id));
  if (isUndone) {
    await trashOrRestoreApp({ tx, caller: system, at }, before, { isTrashed: false, isSilent: true });
    await tx.run(forgetUndone, { type: 'app', ids: [before.id] });
  }
  const look = { read: tx, caller: system, ref: { uid }, isTrashedIncluded: false, at };
  return {
    app: await appAccess.write(look),
    was: before === undefined ? 'made' : isUndone ? 'undone' : 'there',
  };
}

function newApp(parts: Parts, uid: string, page: PlannedApp) {
  return {
    uid,
    type: 'comments',
    isSilent: true,
    fields: {
      access: page.isRestricted ? 'none' : 'write',
      ...(page.isRestricted ? {} : fieldsOfNewPage(parts.newPages)),
      ...(page.name === undefined ? {} : { name: page.name }),
      metadata: JSON.stringify({ url: page.link }),
    },
  } as const;
}

/** Whether taking an import back put an app or user in the trash. */
export async function wasUndone(read: Pick<Read, 'get'>, type: ItemType, id: number): Promise<boolean> {
  return (await read.get(undoneItem, { type, id })) !== undefined;
}

/**
 * The user of an author, created if none has this uid. Equal email addresses do not merge users, because they were
 * never verified. One who is restored has an email address if this import keeps them.
 */
async function authorOf(parts: Parts, uid: string): Promise<ItemOrigin & { user: User }> {
  const { tx, system: caller, at, keepsEmails } = parts;
  const author = parts.personOf(uid);
  const email = keepsEmails ? (author.email ?? null) : null;
  const existing = await findUser(tx, { uid });
  if (existing !== undefined) {
    if (existing.trashedAt === null || !(await wasUndone(tx, 'user', existing.id)))
      return { user: existing, was: 'there' };
    const restored = await trashOrRestoreUser({ tx, caller, at }, existing, { isTrashed: false });
    await tx.run(forgetUndone, { type: 'user', ids: [existing.id] });
    return { user: await changeUser({ tx, caller, at }, restored, { values: { email } }), was: 'undone' };
  }
  const values = {
    name: author.name,
    ...(email === null ? {} : { email }),
    ...(author.url === undefined ? {} : { metadata: JSON.stringify({ url: author.url }) }),
  };
  const user = await makeUser({ tx, caller, at }, uid, { values });
  if (user === undefined) throw new Error(`the uid ${uid} was taken inside a transaction`);
  return { user, was: 'made' };
}

const comments = entryAccess('comment');

/** Takes a comment out of the trash, or holds it again if it was never shown; its app must be out of it. */
async function restoreComment({ tx, system: caller, at, links }: Writing, id: number): Promise<void> {
  const lookup = { read: tx, caller, ref: { id }, isTrashedIncluded: true, at };
  const on = await comments.restore(lookup);
  if (on.entry.isUnannounced === 1) {
    const held = heldState('approval', { byId: systemUserId, at, isUnannounced: 1 });
    const waiting = await setState({ tx, caller, at, on }, held);
    await enterQueue({ tx, at }, queuedEntry(waiting), { reason: 'approval' });
    return void (await recordEntry({ tx, caller, at, links }, waiting, {
      action: 'comment_held',
      isSilent: true,
    }));
  }
  const entry = await setState({ tx, caller, at, on }, shown);
  await recordEntry({ tx, caller, at, links }, entry, { action: 'comment_restored', isSilent: true });
}
