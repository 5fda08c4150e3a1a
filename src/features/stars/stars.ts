import type { Db } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { readableApp } from '../access/access.ts';
import { renderApp } from '../apps/app-json.ts';
import { actorOf } from '../users/user-json.ts';
import { countStars, deleteStar, insertStar, listStars, type StarListShape } from './stars.store.ts';

/** What the stars feature does; see the operations of the same names. */
export type Stars = ReturnType<typeof createStars>;

/** The stars feature: apps that a person wants to find again. Nobody else sees them. */
export function createStars({ db, clock }: { db: Db; clock: Clock }) {
  async function setStarred(principal: Principal, ref: Ref, isStarred: boolean): Promise<undefined> {
    await db.write(async (tx) => {
      const app = await readableApp(tx, principal, ref);
      const star = { userId: principal.user.id, appId: app.id };
      if ((app.isStarred === 1) === isStarred) return;
      if (isStarred) await tx.run(insertStar, star);
      else await tx.run(deleteStar, star);
      await append(tx, {
        action: isStarred ? 'app_starred' : 'app_unstarred',
        actor: actorOf(principal.user),
        appId: app.id,
        userId: principal.user.id,
        entity: { id: app.id, json: renderApp({ ...app, isStarred: isStarred ? 1 : 0 }) },
        at: clock.now(),
      });
    });
  }

  return {
    starApp: async (principal: Principal, ref: Ref) => await setStarred(principal, ref, true),
    unstarApp: async (principal: Principal, ref: Ref) => await setStarred(principal, ref, false),

    /** Apps in the trash and those that the caller may not see any more are left out until they are back. */
    async listStars(principal: Principal, list: ListQuery): Promise<Json> {
      if (list.trashed === true) return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const filters = filtersOf(list);
      const shape: StarListShape = {
        descending: list.order.descending,
        ...filters.shape,
      };
      const key = JSON.stringify(shape);
      const parameters = {
        userId: principal.user.id,
        directoryId: principal.user.directoryId ?? 0,
        ...filters.parameters,
      };
      const count = list.count ? ((await db.read.get(countStars(key), parameters))?.count ?? 0) : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const rows = await db.read.all(listStars(key), parameters);
      return envelope(list, { items: rows.map(({ id }) => `{"id":${id},"type":"app"}`), count });
    },
  };
}
