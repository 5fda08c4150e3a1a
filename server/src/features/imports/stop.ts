import { importOperations } from 'confab-contract/imports.ts';
import { handler } from '../../binding/handler.ts';
import { getRun, moveRun, renderRun, wrongState } from './import-runs.ts';

/** Stops an import; one that is over stays as it is. Throws `validation_failed` for one that is being taken back. */
export const stopImport = handler(importOperations.stopImport, async ({ tx, caller, params, at }) => {
  const row = await getRun(tx, params.id);
  if (row.state === 'undoing') throw wrongState('This import is being taken back.');
  if (row.state !== 'reading' && row.state !== 'ready' && row.state !== 'running') return renderRun(row);
  return renderRun(
    await moveRun({ tx, caller, at }, row, { state: 'stopped', blobId: null, finishedAt: at }),
  );
});
