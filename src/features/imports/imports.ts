import type { Db, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import type { WritableApp } from '../access/access.ts';
import { appAccess, upsertableApp } from '../access/app-access.ts';
import { findUser } from '../access/user-access.ts';
import { addApp, changeApp } from '../apps/app-changes.ts';
import { createEntry } from '../entries/create.ts';
import { type Draft, draftOf } from '../entries/entry-body.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import { makeUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { readDisqus } from './disqus.ts';
import type { ImportFile, ImportKind } from './import-file.ts';
import type { ImportPlan, PlannedApp, PlannedComment, PlannedUser } from './import-plan.ts';
import { importedComments, insertImported, takenUids } from './imports.store.ts';
import { readWordpress } from './wordpress.ts';

/**
 * Imports write comments from other systems into the store, from a planned export. They use the functions that requests
 * use, so counts, search, tags and the event log are correct. Webhooks are not notified, because the content is old.
 *
 * Comments are written in batches, each in one transaction that also records every imported comment in `imports`. A
 * server on the same folder therefore stays responsive, and an interrupted import is completed by running it again:
 * recorded comments are not written twice. Apps and users are created with their first comment, so an import with
 * nothing to add adds nothing.
 */

/** The most comments of one transaction: it delays the server's own writes by some tens of milliseconds. */
const batchCommentsMax = 200;

/** What the import created. */
type Made = { readonly apps: number; readonly users: number; readonly comments: number };

/** What an import did. */
export type Written = Made & {
  /** The apps that have the uid of 0.1.0, by the uid of their page; they were renamed if that was asked for. */
  readonly formerUids: ReadonlyMap<string, string>;
  /** The uids of apps of 0.1.0 whose page has another app, so that they keep their uid and their comments. */
  readonly otherUids: readonly string[];
};

/** The options of an import. */
export type ImportOptions = {
  /**
   * Whether to keep the e-mail addresses of authors. The source never published them, and every reader of a comment can
   * read its author, so they are left out by default.
   */
  readonly keepsEmails: boolean;
  /** Whether apps that Confab 0.1.0 imported get the uid of their page. Otherwise they take further comments as they are. */
  readonly renamesApps?: boolean;
};

/** Reads an export. Throws an `ImportError` when it cannot be read at all. */
export async function readExport(kind: ImportKind, path: string): Promise<ImportFile> {
  return kind === 'wordpress' ? await readWordpress(path) : await readDisqus(path);
}

/** The imports feature. */
export function createImports({ db, clock }: { db: Db; clock: Clock }) {
  /** Throws an Error that names the existing apps which cannot contain comments, before anything is written. */
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

  /** Gives each app the uid of its page, with an event as for any change. */
  async function renameApps(system: Principal, formerUids: ReadonlyMap<string, string>): Promise<void> {
    for (const [uid, former] of formerUids)
      await db.write(async (tx) => {
        const app = await upsertableApp(tx, system, former);
        if (app !== undefined) await changeApp({ tx, caller: system, at: clock.now() }, app, { uid });
      });
  }

  return {
    /**
     * Writes what is in the plan and not yet in the store. Throws an Error and writes nothing if an existing app with
     * one of the uids cannot contain comments.
     */
    async write(planned: ImportPlan, options: ImportOptions): Promise<Written> {
      const user = await findUser(db.read, { id: systemUserId });
      if (user === undefined) throw new Error('the store has no system user');
      const system: Principal = { kind: 'key', user };
      const { formerUids, otherUids } = await findFormerUids(db.read, planned.apps);
      if (options.renamesApps === true) await renameApps(system, formerUids);
      const plan = options.renamesApps === true ? planned : withUids(planned, formerUids);
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
      return { ...made, formerUids, otherUids };
    },
  };
}

/**
 * Which pages have apps with a uid of 0.1.0, which made an app for each address of a page. The first app that is there
 * is the app of the page, and the others are left.
 */
async function findFormerUids(
  read: Pick<Db['read'], 'all'>,
  apps: readonly PlannedApp[],
): Promise<Pick<Written, 'formerUids' | 'otherUids'>> {
  const uidsOf = ({ uid, formerUids }: PlannedApp) => [uid, ...formerUids];
  const rows = await read.all(takenUids, { uids: apps.flatMap(uidsOf) });
  const taken = new Set(rows.map(({ uid }) => uid));
  const found = apps.map((app) => ({ app, uids: uidsOf(app).filter((uid) => taken.has(uid)) }));
  return {
    formerUids: new Map(
      found.flatMap(({ app: { uid }, uids: [first] }) =>
        first === undefined || first === uid ? [] : [[uid, first] as const],
      ),
    ),
    otherUids: found.flatMap(({ uids: [, ...others] }) => others),
  };
}

/** The plan for apps that keep their uids of 0.1.0. */
function withUids(plan: ImportPlan, formerUids: ReadonlyMap<string, string>): ImportPlan {
  const now = (uid: string) => formerUids.get(uid) ?? uid;
  return {
    ...plan,
    apps: plan.apps.map((app) => ({ ...app, uid: now(app.uid) })),
    comments: plan.comments.map((comment) => ({ ...comment, appUid: now(comment.appUid) })),
  };
}

/** A comment with its text rendered before the transaction. */
type PreparedComment = PlannedComment & { readonly draft: Draft };

function prepared(planned: PlannedComment): PreparedComment {
  const { text } = planned;
  return { ...planned, draft: draftOf({ text }, { text, ...renderMarkdown(text) }) };
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
    // Imported comments have no attachments, so no addresses are needed.
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

/** Caches the results of `find` for one transaction, and counts what it created. */
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
 * The app of a page, created if it does not exist. A public page becomes an app with access `write`: every user to whom
 * the host gives a token may read and reply, and nobody without a token sees anything. A page that the source hid from
 * the public gets access `none`, so only an API key sees it until the host adds members. An existing app keeps its
 * access.
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
  const look = { read: tx, caller: system, ref: { uid }, isTrashedIncluded: false, at };
  return { app: await appAccess.write(look), isNew: !isThere };
}

/**
 * The user of an author, created if none has this uid. Equal e-mail addresses do not merge users, because they were
 * never verified.
 */
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
