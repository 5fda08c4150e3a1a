import { importOperations } from 'confab-contract/imports.ts';
import { handler } from '../../binding/handler.ts';
import { accepted, getRun, moveRun, wrongState } from './import-runs.ts';

/** Runs an import whose dry run is done. Throws `validation_failed` for one that cannot be run. */
export const runImport = handler(importOperations.runImport, async ({ tx, caller, params, at }) => {
  const row = await getRun(tx, params.id);
  if (row.state === 'running' || row.state === 'finished') return accepted(row);
  if (row.state === 'reading') throw wrongState('The file is still being read.');
  if (row.state !== 'ready')
    throw wrongState('This import is over. Upload the file again to import it once more.');
  return accepted(await moveRun({ tx, caller, at }, row, { state: 'running', startedAt: at }));
});
