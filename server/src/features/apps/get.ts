import { appOperations } from 'confab-contract/apps.ts';
import { handler } from '../../binding/handler.ts';
import { appDetail } from './app-detail.ts';
import { renderForClient } from './app-json.ts';

/** One app. */
export const getApp = handler(appOperations.getApp, async (call) =>
  renderForClient(call.raw, await appDetail(call, call.on)),
);
