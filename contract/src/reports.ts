import Type, { type Static } from 'typebox';
import { getting } from './common-operations.ts';
import { Parent } from './entries.ts';
import { count, described, Id, listOf, string, Timestamp, TrueFalseNull } from './fields.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

const o = Type.Optional;

/** The most characters that a user writes about a report, and that a moderator notes. */
const textCharactersMax = 1000;

/** Why users report something: a closed list, so that queues can be filtered and counted. */
const givenReasons = ['spam', 'abuse', 'illegal', 'off_topic', 'other'] as const;
/** Every reason of a report: those that users give, and `rule` for what a rule of the server found. */
export const reportReasons = [...givenReasons, 'rule'] as const;
/** One of `reportReasons`. */
export type ReportReason = (typeof reportReasons)[number];

/** The decisions of a moderator. */
export const resolutions = ['keep', 'trash', 'hold', 'suspend'] as const;
/** One of `resolutions`. */
export type Resolution = (typeof resolutions)[number];

const reasonWords =
  '`spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks the law), `off_topic` (does not belong here) or `other`';

const ReportCreate = Type.Object(
  {
    reason: Type.Unsafe<(typeof givenReasons)[number]>({
      type: 'string',
      enum: [...givenReasons],
      description: `Why it is reported: ${reasonWords}.`,
    }),
    text: o(
      Type.String({
        maxLength: textCharactersMax,
        description: `A text for the moderators, at most ${textCharactersMax} characters.`,
      }),
    ),
  },
  { $id: 'ReportCreate', description: 'Why something is reported.' },
);

const reason = Type.Unsafe<ReportReason>({
  type: 'string',
  enum: [...reportReasons],
  description: `The reason: ${reasonWords}; \`rule\` for a report by a rule of the server.`,
});
const entity = described(Parent, 'What was reported or is held: a comment, a post, a message or a file.');

/** Why an item is held. */
const HeldItem = Type.Object(
  {
    reason: Type.Unsafe<'moderator' | 'approval' | 'rule'>({
      type: 'string',
      enum: ['moderator', 'approval', 'rule'],
      description:
        'Why it is held: a `moderator` decided so, its app asks for `approval`, or a `rule` of the server caught it.',
    }),
    rules: o(
      Type.Array(Type.String(), {
        description: 'The names of the rules that it matches. Only where the reason is `rule`.',
      }),
    ),
  },
  { $id: 'HeldItem', description: 'Why an item is held.' },
);

/** A report as the user who made it gets it back. */
const OwnReport = Type.Object(
  {
    entity,
    reason,
    text: o(string('What the user wrote about it. Absent when there is no text.')),
    created_at: described(Timestamp, 'When the user reported it.'),
  },
  { $id: 'OwnReport', description: 'The report of a user, with its reason.' },
);

const ReportText = Type.Object(
  {
    reason,
    text: string('What the user wrote about it.'),
    created_at: described(Timestamp, 'When the user reported it.'),
    created_by_id: described(Id, 'The id of the user who reported it.'),
  },
  { $id: 'ReportText', description: 'The text of one user about a report.' },
);

const reportFields = {
  id: described(Id, 'The id of the report.'),
  app_id: described(Id, 'The id of the app that the item is in.'),
  app: Type.Object(
    {
      id: described(Id, 'The id of the app.'),
      uid: Type.String({ description: 'The uid of the app.', examples: ['product-42'] }),
      type: Type.String({ description: 'The type of the app.', examples: ['comments'] }),
      display_name: string('The name of the app, or else its uid.'),
    },
    { description: 'The app that the item is in.' },
  ),
  entity,
  snapshot: o(
    Type.Object(
      {
        text: o(
          string('How the text begins, without markup: at most 500 characters. Absent when there is none.'),
        ),
        name: o(string('The name of the file. Absent for anything else.')),
        created_at: described(Timestamp, 'When the item was created.'),
      },
      {
        description:
          'The item as it was when the report was opened; its author may have edited it since. Absent in events, and once the item is deleted permanently.',
      },
    ),
  ),
  held: o(described(HeldItem, 'Why the item is held. Absent while it is not.')),
  author_id: described(Id, 'The id of the author of the item.'),
  state: Type.Unsafe<'open' | 'resolved'>({
    type: 'string',
    enum: ['open', 'resolved'],
    description:
      'Whether a moderator still has to decide (`open`). A resolved report opens again when another user reports the item, and when the item is held.',
  }),
  report_count: count(
    'How many users have reported the item; 0 for an item that is or was held without a report.',
  ),
  new_report_count: count('How many of them since the report was opened; 0 when it is resolved.'),
  reasons: Type.Array(Type.Object({ reason, count: count('How many users gave it.') }), {
    description: 'The reasons that were given, in the order in which they were first given.',
  }),
  texts: Type.Array(ReportText, {
    description:
      'The texts of users, the newest first: at most 3 in a list and 100 on a single report. In an event only the text of its actor.',
  }),
  created_at: described(Timestamp, 'When the item was first reported or held.'),
  reported_at: described(Timestamp, 'When the item was last reported or held.'),
  action: o(
    Type.Unsafe<Resolution | 'delete'>({
      type: 'string',
      enum: [...resolutions, 'delete'],
      description:
        'The decision: one of the actions of `POST /api/reports/{id}/resolve`, or `delete` when the item was deleted permanently. Approving or trashing a held item that nobody has reported is `keep` or `trash`. Absent while the report is open.',
    }),
  ),
  note: o(string('What the moderator noted. Absent when there is no note.')),
  resolved_at: o(described(Timestamp, 'When it was decided. Absent while the report is open.')),
  resolved_by_id: o(
    described(
      Id,
      'The id of the user who decided. Absent while the report is open, and when the item was deleted.',
    ),
  ),
};

/** A report on its own, with its users. */
const Report = Type.Object(
  {
    ...reportFields,
    author: described(User, 'The author of the item.'),
    resolved_by: o(
      described(
        User,
        'The user who decided. Absent while the report is open, and when the item was deleted.',
      ),
    ),
  },
  { $id: 'Report', description: 'An item that is held, or that users have reported, with their texts.' },
);

export const ReportItem = Type.Object(
  {
    ...reportFields,
    author: o(described(User, 'The author of the item. Only where `expand` asks for it.')),
    resolved_by: o(
      described(
        User,
        'The user who decided. Only where `expand` asks for it; absent while the report is open, and when the item was deleted.',
      ),
    ),
  },
  {
    $id: 'ReportItem',
    description: 'A reported or held item in a list: one for each item, however many users reported it.',
  },
);
const ReportList = listOf(ReportItem, 'ReportList');

const ReportResolve = Type.Object(
  {
    action: Type.Unsafe<Resolution>({
      type: 'string',
      enum: [...resolutions],
      description:
        'The decision: the item stays, and is approved if it is held (`keep`); it is put in the trash (`trash`) or held (`hold`); or it is put in the trash and its author is suspended (`suspend`).',
    }),
    note: o(
      Type.String({
        maxLength: textCharactersMax,
        description: `A note for other moderators, at most ${textCharactersMax} characters.`,
      }),
    ),
  },
  { $id: 'ReportResolve', description: 'The decision on a report.' },
);
export type ReportResolve = Static<typeof ReportResolve>;

/** The common parts of the operations that report something. */
function reportOf<const K extends 'comment' | 'post' | 'message' | 'file'>(kind: K) {
  return {
    method: 'POST',
    path: `/api/${kind}s/{id}/reports`,
    summary: `Reports a ${kind} to the moderators of its app, once for each user.`,
    description: `Neither the author nor other users learn who reported it. Repeating it answers the first report and changes nothing. A user may have 100 reports that no moderator has decided on; more are 429 \`too_many_reports\`.`,
    caller: 'any',
    effect: 'change',
    body: ReportCreate,
    success: { 200: OwnReport },
    errors: [400, 401, 403, 404, 422],
    problems: ['too_many_reports'],
    example: { reason: 'spam', text: 'The same link in five comments' },
  } as const;
}

export const reportOperations = operationsOf('Reports', {
  reportComment: {
    ...reportOf('comment'),
    description: `${reportOf('comment').description} Where the operator counts guests by address, the first report of guests from an address counts on a day, and the others are answered in the same way and change nothing.`,
    on: { comment: 'report' },
    signedIn: OwnReport,
  },
  reportPost: { ...reportOf('post'), on: { post: 'report' } },
  reportMessage: { ...reportOf('message'), on: { message: 'report' } },
  reportFile: { ...reportOf('file'), on: { file: 'report' } },
  listReports: {
    method: 'GET',
    path: '/api/reports',
    summary: 'Lists the reported and held items that the caller moderates, the last ones first.',
    description:
      'An API key sees all of them; a user sees those in apps where they are a moderator or manager, except for their own items. Reports have neither words, tags nor a trash, so a query for one of these matches none. Reports in an app in the trash are left out.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    query: Type.Object({
      state: o(
        Type.Unsafe<'open' | 'resolved'>({
          type: 'string',
          enum: ['open', 'resolved'],
          description: 'Absent lists both.',
        }),
      ),
      app: o(
        Type.String({
          description: 'The id or uid of an app: only reports in it. Digits alone are an id.',
          examples: ['product-42'],
        }),
      ),
      author_id: o(Type.Integer({ description: 'Only what this user wrote.' })),
      held: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description: '`true` lists only held items, `false` the others. Absent or `null` lists both.',
        }),
      ),
      reason: o(
        Type.Unsafe<ReportReason>({
          type: 'string',
          enum: [...reportReasons],
          description: 'Only items reported for this reason.',
        }),
      ),
    }),
    list: {
      orderBy: ['id', 'created_at', 'reported_at', 'report_count'],
      defaultOrder: { field: 'reported_at', descending: true },
      expand: ['author', 'resolved_by'],
      isSparse: true,
    },
    success: { 200: ReportList },
    errors: [401],
  },
  getReport: {
    ...getting(Report),
    path: '/api/reports/{id}',
    summary: 'Gets a report that the caller moderates.',
    on: { report: 'moderate' },
  },
  resolveReport: {
    method: 'POST',
    path: '/api/reports/{id}/resolve',
    summary:
      'Decides on a report: keeps or approves the item, trashes or holds it, or also suspends its author.',
    description:
      'The first decision counts: repeating it changes nothing, and another decision is 422. Suspending requires an API key with the scope `users`, or a moderator of the directory of the author. An item whose parent is in the trash is 404 for every action except `keep`, and for `keep` while the item is held.',
    caller: 'any',
    on: { report: 'moderate' },
    effect: 'change',
    body: ReportResolve,
    success: { 200: Report },
    errors: [400, 401, 403, 404, 422],
    problems: ['suspend_forbidden'],
    example: { action: 'trash', note: 'Advertising' },
  },
});
