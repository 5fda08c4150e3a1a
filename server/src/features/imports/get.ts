import { importOperations } from 'confab-contract/imports.ts';
import { handler } from '../../binding/handler.ts';
import { getRun, renderRun } from './import-runs.ts';

/** An import with its report and its progress. */
export const getImport = handler(importOperations.getImport, async ({ read, params }) =>
  renderRun(await getRun(read, params.id)),
);
