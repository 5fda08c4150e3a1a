import { doctorOperations } from 'confab-contract/doctor.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import type { DoctorParts } from './doctor.ts';

/** Begins to mend what the doctor can mend beside a running server. */
export const fixWithDoctor = handler(doctorOperations.fixWithDoctor, async (_call, { doctor }: DoctorParts) =>
  json(JSON.stringify(await doctor.run({ isFixing: true }))),
);
