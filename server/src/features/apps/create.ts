import { appOperations } from 'confab-contract/apps.ts';
import { handler } from '../../binding/handler.ts';
import { appReaders, requestedApp } from './app-body.ts';
import { makeApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';
import { renderForClient } from './app-json.ts';

/** Apps are containers of one type, such as comments or files, with members and an access level; everything else belongs to one. */

/** Creates an app and makes its creator a member and the manager. */
export const createApp = handler(
  appOperations.createApp,
  (input) => input.read(appReaders).map((body) => ({ uid: body.uid, ...requestedApp(body) })),
  async (call) => {
    const { tx, caller, body, raw } = call;
    const app = await makeApp(call, body);
    return renderForClient(raw, await appDetail({ read: tx, caller }, app));
  },
);
