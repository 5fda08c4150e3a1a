import { doctorOperations } from 'confab-contract/doctor.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { lastRun } from './doctor.ts';

/** The last run of the doctor. */
export const getDoctor = handler(doctorOperations.getDoctor, async ({ db, at }) =>
  json(JSON.stringify(await lastRun(db.read, at))),
);
