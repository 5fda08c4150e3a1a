import { reportOperations } from 'confab-contract/reports.ts';
import { handler } from '../../binding/handler.ts';
import { reportDetail } from './report-json.ts';

/** A report, for those who moderate its app. */
export const getReport = handler(
  reportOperations.getReport,
  async (call) => await reportDetail(call, call.on),
);
