import Type, { type Static } from 'typebox';
import { boolean, count, described, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** The most findings that one answer has. */
export const shownFindingsMax = 100;

/** How long an examination may take, in minutes: it reads every table once. */
export const examinationMinutesMax = 30;

/** The checks whose findings are mended beside a running server: no writer waits for longer than for a request. */
export const fixableChecks = [
  'folder-mode',
  'key-mode',
  'counts',
  'leftovers',
  'sums',
  'search-missing',
  'search-left',
  'blobs-orphaned',
  'parked',
  'notifications',
  'leases',
] as const;

const Finding = Type.Object(
  {
    check: Type.String({
      description: 'The name of the check, as the guide to the doctor lists them. It stays the same.',
      examples: ['counts'],
    }),
    level: Type.Unsafe<'error' | 'warning' | 'note'>({
      type: 'string',
      enum: ['error', 'warning', 'note'],
      description:
        'The severity. A `note` is not about a fault of this server, but for example about a failing receiver.',
    }),
    what: string('What is wrong, in a sentence.'),
    mend: string('How to mend it, in a sentence.'),
    is_fixable: boolean(
      'Whether `POST /api/doctor/fix` mends it. Fixes that block other writers are left to the command.',
    ),
  },
  { $id: 'DoctorFinding', description: 'Something that the doctor has found.' },
);
/** Something that the doctor has found. */
export type DoctorFinding = Static<typeof Finding>;

const Fixed = Type.Object(
  {
    check: string('The name of the check.'),
    what: string('What was done, in a sentence.'),
  },
  { $id: 'DoctorFixed', description: 'Something that the doctor has mended.' },
);

const DoctorRun = Type.Object(
  {
    state: Type.Unsafe<'never' | 'running' | 'done' | 'failed'>({
      type: 'string',
      enum: ['never', 'running', 'done', 'failed'],
      description:
        'The progress; `never` before the first examination. An examination that finds faults is `done`; one that could not run is `failed`.',
    }),
    is_fixing: o(boolean('Whether it mends what it finds.')),
    host: o(
      string('The machine whose node looks: its settings, its disk and its surroundings are examined.'),
    ),
    started_at: o(described(Timestamp, 'When it began.')),
    finished_at: o(described(Timestamp, 'When it ended. Absent while it runs.')),
    failure: o(string('Why it could not look. Absent unless it failed.')),
    is_healthy: o(boolean('Whether it found nothing but notes. Absent unless it is done.')),
    count: count('How many things it found; after mending, how many are left.'),
    findings: Type.Array(Finding, { description: `The first ${shownFindingsMax} findings.` }),
    fixed: Type.Array(Fixed, { description: `The first ${shownFindingsMax} fixes.` }),
  },
  { $id: 'DoctorRun', description: 'The last examination of the server and its store.' },
);
/** The last examination of the server and its store. */
export type DoctorRun = Static<typeof DoctorRun>;

const inBackground = `Only for a key with the scope \`all\`. It runs in the background, in a process of its own, for ${examinationMinutesMax} minutes at most; \`GET /api/doctor\` says how far it is. Only one runs at a time, over all nodes: another of its kind is answered with the one that runs, and one of the other kind is 503 \`too_busy\`.`;

export const doctorOperations = operationsOf('Server', {
  getDoctor: {
    method: 'GET',
    path: '/api/doctor',
    summary: 'Gets the findings of the last examination of the server, and whether one is running.',
    description: 'The same on every node. Examinations by the command `confab doctor` are not included.',
    caller: 'key',
    on: 'server',
    effect: 'wait',
    success: { 200: DoctorRun },
    errors: [401],
  },
  runDoctor: {
    method: 'POST',
    path: '/api/doctor',
    summary: 'Starts to examine the server, its surroundings and its store, as `confab doctor` does.',
    description: inBackground,
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'wait',
    success: { 202: DoctorRun },
    errors: [401, 403],
  },
  fixWithDoctor: {
    method: 'POST',
    path: '/api/doctor/fix',
    summary: 'Examines the server, mends faults that need no decision, and examines it again.',
    description: `As \`confab doctor --fix\` does for these checks: ${fixableChecks.map((check) => `\`${check}\``).join(', ')}. ${inBackground}`,
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'wait',
    success: { 202: DoctorRun },
    errors: [401, 403],
  },
});
