import { doctorOperations } from 'confab-contract/doctor.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { DoctorParts } from './doctor.ts';

/** Begins to examine the server. */
export const runDoctor = handler(doctorOperations.runDoctor, async (_call, { doctor }: DoctorParts) =>
  json(JSON.stringify(await doctor.run({ isFixing: false }))),
);
