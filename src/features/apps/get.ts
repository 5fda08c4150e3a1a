import { handler } from '../../binding/handler.ts';
import { appOperations } from '../../contract/apps.ts';
import { appDetail } from './app-detail.ts';
import { forClient } from './app-json.ts';

/** One app. */
export const getApp = handler(appOperations.getApp, async (call) =>
  forClient(call.raw, await appDetail(call, call.on)),
);
