import { appOperations } from 'confab-contract/apps.ts';
import { handler } from '../../binding/handler.ts';
import { changeReaders, fieldsOf } from './app-body.ts';
import { changeApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';
import { renderForClient } from './app-json.ts';

/** Changes the fields of an app that the body has. */
export const updateApp = handler(
  appOperations.updateApp,
  (input) => input.read(changeReaders).map(fieldsOf),
  async (call) => {
    const { tx, on, caller, body, raw } = call;
    const app = await changeApp(call, on, body);
    return renderForClient(raw, await appDetail({ read: tx, caller }, app));
  },
);
