import { importOperations } from 'confab-contract/imports.ts';
import { handler } from '../../binding/handler.ts';
import { accepted, getRun, moveRun, wrongState } from './import-runs.ts';
import { nothingUndone } from './take-back.ts';

/** Takes back an import that was run, also while it runs. Throws `validation_failed` for one that was not. */
export const undoImport = handler(importOperations.undoImport, async ({ tx, caller, params, at }) => {
  const row = await getRun(tx, params.id);
  if (row.state === 'undoing' || row.state === 'undone') return accepted(row);
  if (row.startedAt === null) throw wrongState('This import was not run, so there is nothing to take back.');
  const undone = JSON.stringify(nothingUndone(row.kind));
  const change = { state: 'undoing', undone, blobId: null } as const;
  return accepted(await moveRun({ tx, caller, at }, row, change));
});
