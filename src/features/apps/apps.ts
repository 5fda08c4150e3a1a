import type { AppCreate, AppPatch, AppPut } from '../../contract/apps.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { filtersOf } from '../../db/filters.ts';
import { appIndex } from '../../db/search-index.ts';
import { type Action, append } from '../../events/events.ts';
import { visibleText } from '../../kernel/blank.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sortKey } from '../../kernel/fold.ts';
import { ownUidFault, type Ref, uidFault } from '../../kernel/ids.ts';
import { Input } from '../../kernel/input.ts';
import { isSameJson, type Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { searchWords } from '../../kernel/search.ts';
import {
  type AppView,
  asManageable,
  findApp,
  levelOf,
  manageableApp,
  type ReadableApp,
  readableApp,
  viewerOf,
} from '../access/access.ts';
import { joinAsCreator } from '../members/member-changes.ts';
import { firstMembers } from '../members/member-json.ts';
import { actorOf } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import {
  appReaders,
  asksForPage,
  type Change,
  changeReaders,
  findDirectory,
  prepareApp,
  prepareChange,
  usableDirectory,
  type Wanted,
} from './app-change.ts';
import { renderApp } from './app-json.ts';
import { findAppType, isMadeUid, typesByContext } from './app-types.ts';
import {
  type AppListShape,
  type AppValues,
  countApps,
  deleteAppTags,
  deleteSubscription,
  insertApp,
  insertAppTags,
  insertSubscription,
  listApps,
  setAppTrashed,
  updateApp,
} from './apps.store.ts';

function taken(): Error {
  return invalidField('/uid', 'taken', 'is taken by another app');
}

async function writeTags(tx: Tx, id: number, tags: readonly string[]): Promise<void> {
  if (tags.length > 0) await tx.run(insertAppTags, { id, tags });
}

/** The words that an app is found by. */
export function appWords(values: Pick<AppValues, 'uid' | 'name' | 'description'>): string {
  return searchWords(isMadeUid(values.uid) ? null : values.uid, values.name, values.description);
}

/** By what the names of an app are put in order. */
export function appKeys({
  uid,
  name,
}: Pick<AppValues, 'uid' | 'name'>): Pick<AppValues, 'nameKey' | 'displayNameKey'> {
  const shown = visibleText(name);
  return { nameKey: shown === null ? '' : sortKey(shown), displayNameKey: sortKey(shown ?? uid) };
}

const everything: ReadonlySet<string> = new Set(['created_by', 'modified_by', 'members']);

/** What the apps feature does; see the operations of the same names. */
export type Apps = ReturnType<typeof createApps>;

/** The apps feature: containers with members and access levels (specification section 4.2). */
export function createApps({
  db,
  clock,
  pages = 'open',
}: {
  db: Db;
  clock: Clock;
  /** Who may make pages: any user, or API keys alone. */
  pages?: 'open' | 'keys';
}) {
  async function detail(read: Read, viewer: Principal, app: AppView): Promise<Json> {
    const [rendered] = await renderApps(read, viewer, [app], everything);
    if (rendered === undefined) throw new Error('an app was not rendered');
    return rendered;
  }

  /** Renders apps with what `expand` names; the number of statements does not depend on the number of apps. */
  async function renderApps(
    read: Read,
    viewer: Principal,
    apps: readonly AppView[],
    expand: ReadonlySet<string>,
  ): Promise<Json[]> {
    const userIds = apps.flatMap((app) => [
      ...(expand.has('created_by') ? [app.createdById] : []),
      ...(expand.has('modified_by') && app.modifiedById !== null ? [app.modifiedById] : []),
    ]);
    const users = await renderedUsers(read, viewer, userIds);
    const members = expand.has('members')
      ? await firstMembers(
          read,
          apps.map((app) => app.id),
        )
      : undefined;
    return apps.map((app) =>
      renderApp(app, {
        createdBy: expand.has('created_by') ? users.get(app.createdById) : undefined,
        modifiedBy:
          expand.has('modified_by') && app.modifiedById !== null ? users.get(app.modifiedById) : undefined,
        members: members?.get(app.id),
      }),
    );
  }

  async function record(
    tx: Tx,
    principal: Principal,
    app: AppView,
    action: Action,
    origin: { isSilent?: boolean } = {},
  ): Promise<void> {
    await append(tx, {
      ...origin,
      action,
      actor: actorOf(principal.user),
      appId: app.id,
      entity: { id: app.id, json: renderApp(app) },
      at: clock.now(),
    });
  }

  async function reload(tx: Tx, principal: Principal, id: number): Promise<AppView> {
    const app = await findApp(tx, principal, { id });
    if (app === undefined) throw new Error('an app is gone inside its own transaction');
    return app;
  }

  /** Inserts the app, or answers undefined when its uid is taken. Its creator joins it as a manager unless it is a page. */
  async function insert(
    tx: Tx,
    principal: Principal,
    fields: { uid: string; type: string; change: Change },
    origin: { isSilent?: boolean; isPage?: boolean } = {},
  ): Promise<AppView | undefined> {
    const { uid, type, change } = fields;
    const { isPage = false, ...told } = origin;
    const values = {
      type,
      uid,
      access: change.access ?? (isPage ? 'write' : 'none'),
      directoryId: isPage
        ? principal.user.directoryId
        : usableDirectory(principal, await findDirectory(tx, change.directory ?? null), null),
      name: change.name ?? null,
      description: change.description ?? null,
      metadata: change.metadata ?? null,
      tags: JSON.stringify(change.tags ?? []),
    };
    const at = clock.now();
    const row = await tx.get(insertApp, {
      ...values,
      ...appKeys(values),
      at,
      userId: principal.user.id,
      byKey: principal.kind === 'key' ? 1 : 0,
    });
    if (row === undefined) return undefined;
    await writeTags(tx, row.id, change.tags ?? []);
    tx.later(appIndex, { id: row.id, words: appWords(values), isNew: true });
    const role = isPage ? 'member' : 'manager';
    await joinAsCreator(tx, { appId: row.id, user: principal.user, role, at });
    const app = await reload(tx, principal, row.id);
    await record(tx, principal, app, 'app_created', told);
    return app;
  }

  /**
   * Makes the app what `wanted` says. Whoever may see it may ask for what it is already, as the reference client does on
   * each load; that is no edit and no event. Throws `manage_forbidden` for everything else unless the caller manages it.
   */
  async function change(tx: Tx, principal: Principal, app: ReadableApp, wanted: Change): Promise<AppView> {
    const directoryId =
      wanted.directory === undefined ? app.directoryId : await findDirectory(tx, wanted.directory);
    const sent = {
      uid: wanted.uid ?? app.uid,
      access: wanted.access ?? app.access,
      directoryId,
      name: wanted.name === undefined ? app.name : wanted.name,
      description: wanted.description === undefined ? app.description : wanted.description,
      metadata: wanted.metadata === undefined ? app.metadata : wanted.metadata,
      tags: wanted.tags === undefined ? app.tags : JSON.stringify(wanted.tags),
    };
    const { metadata, ...columns } = sent;
    const isSame =
      isSameJson(metadata, app.metadata) &&
      (Object.keys(columns) as (keyof typeof columns)[]).every((name) => columns[name] === app[name]);
    if (isSame) return app;
    asManageable(app);
    const values = { ...sent, directoryId: usableDirectory(principal, directoryId, app.directoryId) };
    try {
      await tx.run(updateApp, {
        ...values,
        ...appKeys(values),
        id: app.id,
        at: clock.now(),
        userId: principal.user.id,
      });
    } catch (error) {
      if (isUniqueViolation(error, 'apps.uid')) throw taken();
      throw error;
    }
    if (wanted.tags !== undefined) {
      await tx.run(deleteAppTags, { id: app.id });
      await writeTags(tx, app.id, wanted.tags);
    }
    tx.later(appIndex, { id: app.id, words: appWords(values) });
    const changed = await reload(tx, principal, app.id);
    await record(tx, principal, changed, 'app_updated');
    return changed;
  }

  /** Makes the app of a PUT whose uid is free, as a page where it asks for one. */
  async function insertAbsent(
    tx: Tx,
    principal: Principal,
    uid: string,
    { type, change: wanted, isPage = false }: Wanted,
  ): Promise<AppView> {
    if (wanted.uid !== undefined && wanted.uid !== uid)
      throw invalidField('/uid', 'not_found', 'must be the uid in the path while no app has that one');
    if (isPage && pages === 'keys' && principal.kind !== 'key')
      throw new Problem(
        'page_forbidden',
        'Pages are made by API keys alone on this server (CONFAB_PAGES is keys).',
      );
    const made = await insert(tx, principal, { uid, type, change: wanted }, { isPage });
    if (made === undefined) throw taken();
    return made;
  }

  /** Finds or makes the app with a uid; what the caller may not change is 403, because PUT lists no 404. */
  async function upsert(
    tx: Tx,
    principal: Principal,
    uid: string,
    prepared: Input<Wanted>,
  ): Promise<{ isNew: boolean; app: AppView }> {
    const found = uidFault(uid) === undefined ? await findApp(tx, principal, { uid }) : undefined;
    if (found === undefined)
      return { isNew: true, app: await insertAbsent(tx, principal, uid, prepared.valid()) };
    const app = found.level === 'none' ? asManageable(found) : (found as ReadableApp);
    const { type, change: wanted } = prepared.valid();
    if (type !== app.type)
      throw invalidField('/type', 'immutable', `is ${app.type} for this app and cannot be changed`);
    return { isNew: false, app: await change(tx, principal, app, wanted) };
  }

  async function setTrashed(principal: Principal, ref: Ref, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const app = await manageableApp(tx, principal, ref, 'any');
      if ((app.trashedAt !== null) === isTrashed) return await detail(tx, principal, app);
      await tx.run(setAppTrashed, { id: app.id, trashedAt: isTrashed ? clock.now() : null });
      const changed = await reload(tx, principal, app.id);
      await record(tx, principal, changed, isTrashed ? 'app_trashed' : 'app_restored');
      return await detail(tx, principal, changed);
    });
  }

  async function setSubscribed(principal: Principal, ref: Ref, isSubscribed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const app = await readableApp(tx, principal, ref);
      if ((app.isSubscribed === 1) === isSubscribed) return await detail(tx, principal, app);
      const subscription = { userId: principal.user.id, type: 'app', id: app.id };
      if (isSubscribed) await tx.run(insertSubscription, subscription);
      else await tx.run(deleteSubscription, subscription);
      const changed = await reload(tx, principal, app.id);
      await record(tx, principal, changed, isSubscribed ? 'app_subscribed' : 'app_unsubscribed');
      return await detail(tx, principal, changed);
    });
  }

  return {
    async createApp(principal: Principal, input: Input<AppCreate>): Promise<Json> {
      const prepared = input.read(appReaders).map((body) => ({ uid: body.uid, ...prepareApp(body) }));
      return await db.write(async (tx) => {
        const app = await insert(tx, principal, prepared.valid());
        if (app === undefined) throw taken();
        return await detail(tx, principal, app);
      });
    },

    async getApp(principal: Principal, ref: Ref, query: { trashed?: boolean }): Promise<Json> {
      return await detail(
        db.read,
        principal,
        await readableApp(db.read, principal, ref, query.trashed === true ? 'any' : 'live'),
      );
    },

    async updateApp(principal: Principal, ref: Ref, input: Input<Clearable<AppPatch>>): Promise<Json> {
      const prepared = input.read(changeReaders).map(prepareChange);
      return await db.write(async (tx) => {
        const app = await manageableApp(tx, principal, ref);
        return await detail(tx, principal, await change(tx, principal, app, prepared.valid()));
      });
    },

    /**
     * Answers whether the app was made. A hidden app is 403, because the operation lists no 404. With `opensPage` an app
     * that is not there is made as a page, if its type is contextual and the body asks for nothing else.
     */
    async upsertApp(
      principal: Principal,
      uid: string,
      input: Input<Clearable<AppPut>>,
      { opensPage = false }: { opensPage?: boolean } = {},
    ): Promise<{ isNew: boolean; body: Json }> {
      const fault = ownUidFault('app', uid);
      const prepared = input
        .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
        .read(appReaders)
        .map((body) => ({ ...prepareApp(body), isPage: opensPage && asksForPage(uid, body) }));
      return await db.write(async (tx) => {
        const { isNew, app } = await upsert(tx, principal, uid, prepared);
        return { isNew, body: await detail(tx, principal, app) };
      });
    },

    /** The app with this uid, changed or made as PUT would; must run in a transaction. */
    ensureApp: async (tx: Tx, principal: Principal, uid: string, wanted: Wanted): Promise<AppView> =>
      (await upsert(tx, principal, uid, Input.of(wanted))).app,

    /** An app in full. */
    renderedApp: detail,

    async listApps(
      principal: Principal,
      list: ListQuery,
      query: { contextual?: boolean | null; type?: string[] },
    ): Promise<Json> {
      const viewer = viewerOf(principal);
      const filters = filtersOf(list);
      const types = typesAsked(query);
      const shape: AppListShape = {
        order: list.order.field as AppListShape['order'],
        descending: list.order.descending,
        trashed: list.trashed,
        ...filters.shape,
        hasTypes: types !== undefined,
        isLimited: viewer !== undefined,
      };
      const key = JSON.stringify(shape);
      const parameters = {
        userId: viewer?.userId ?? principal.user.id,
        directoryId: viewer?.directoryId ?? 0,
        types: types ?? [],
        ...filters.parameters,
      };
      const count = list.count ? ((await db.read.get(countApps(key), parameters))?.count ?? 0) : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const rows = await db.read.all(listApps(key), parameters);
      const apps = rows.map((row) => ({ ...row, level: levelOf(principal, row) }));
      const items = await renderApps(db.read, principal, apps, list.expand);
      return envelope(list, { items, count });
    },

    /** Makes an app with a uid that nobody has; must run in a transaction. */
    async makeApp(
      tx: Tx,
      principal: Principal,
      { uid, type, name }: { uid: string; type: string; name: string | undefined },
    ): Promise<AppView> {
      const app = await insert(tx, principal, { uid, type, change: name === undefined ? {} : { name } });
      if (app === undefined) throw taken();
      return app;
    },

    /**
     * Makes a comments app of an import, about which no webhook hears; answers undefined when its uid is taken. Must
     * run in a transaction.
     */
    async importApp(
      tx: Tx,
      principal: Principal,
      { uid, ...change }: { uid: string; access: string; name?: string; metadata: string },
    ): Promise<AppView | undefined> {
      return await insert(tx, principal, { uid, type: 'comments', change }, { isSilent: true });
    },

    trashApp: async (principal: Principal, ref: Ref) => await setTrashed(principal, ref, true),
    restoreApp: async (principal: Principal, ref: Ref) => await setTrashed(principal, ref, false),
    subscribe: async (principal: Principal, ref: Ref) => await setSubscribed(principal, ref, true),
    unsubscribe: async (principal: Principal, ref: Ref) => await setSubscribed(principal, ref, false),
  };
}

/** The types a list is limited to; an unknown one matches nothing. */
function typesAsked(query: { contextual?: boolean | null; type?: string[] }): string[] | undefined {
  const byContext =
    query.contextual === undefined || query.contextual === null
      ? undefined
      : typesByContext(query.contextual);
  const byName = query.type?.map((text) => findAppType(text) ?? 'unknown');
  if (byContext === undefined) return byName;
  return byName === undefined ? byContext : byName.filter((name) => (byContext as string[]).includes(name));
}
