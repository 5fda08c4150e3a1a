import { starOperations } from 'confab-contract/stars.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { append } from '../../events/events.ts';
import { renderApp } from '../apps/app-json.ts';
import { actorOf } from '../users/user-json.ts';
import { deleteStar, insertStar } from './stars.store.ts';

/** Stars mark the apps that a user wants to find again. Other users do not see them. */

async function setStarred(
  { tx, on: app, caller, at }: Call<typeof starOperations.starApp>,
  isStarred: boolean,
): Promise<undefined> {
  const star = { userId: caller.user.id, appId: app.id };
  if ((app.isStarred === 1) === isStarred) return;
  if (isStarred) await tx.run(insertStar, star);
  else await tx.run(deleteStar, star);
  await append(tx, {
    action: isStarred ? 'app_starred' : 'app_unstarred',
    actor: actorOf(caller),
    appId: app.id,
    userId: caller.user.id,
    entity: { id: app.id, json: renderApp({ ...app, isStarred: isStarred ? 1 : 0 }) },
    at,
  });
}

/** Stars an app for the caller; repeating it changes nothing. */
export const starApp = handler(starOperations.starApp, (call) => setStarred(call, true));
/** Removes the caller's star. */
export const unstarApp = handler(starOperations.unstarApp, (call) => setStarred(call, false));
