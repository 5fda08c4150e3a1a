import { importOperations } from 'confab-contract/imports.ts';
import { handler } from '../../binding/handler.ts';
import { accepted, getRun, moveRun, wrongState } from './import-runs.ts';

const nothingUndone = JSON.stringify({ comments: 0, apps: 0, users: 0 });

/** Takes back an import that was run, also while it runs. Throws `validation_failed` for one that was not. */
export const undoImport = handler(importOperations.undoImport, async ({ tx, caller, params, at }) => {
  const row = await getRun(tx, params.id);
  if (row.state === 'undoing' || row.state === 'undone') return accepted(row);
  if (row.startedAt === null) throw wrongState('This import was not run, so there is nothing to take back.');
  const change = { state: 'undoing', undone: nothingUndone, blobId: null } as const;
  return accepted(await moveRun({ tx, caller, at }, row, change));
});
