import Type from 'typebox';
import { boolean, described, Id, string } from './fields.ts';
import { operationsOf } from './operation.ts';

/** The rules that decide what a user may do in an app, each in one sentence. */
export const accessRules = {
  api_key: 'An API key may do everything in every app.',
  key_scope: 'The API key lacks the scope that this needs.',
  user_suspended: 'The user is suspended, so they cannot do anything.',
  user_trashed: 'The user is in the trash, so they cannot do anything.',
  app_trashed: 'The app is in the trash, so neither it nor its content can be used until it is restored.',
  locked: 'The app is locked, so only moderators and managers write in it.',
  item_locked:
    'The post or file, or the post that the file is attached to, is locked, so only moderators and managers write on it.',
  member_access: "The user is a member, and a member's own access counts in place of the app's.",
  app_access: 'The user is no member, so the access of the app counts.',
  directory: 'The user is no member, and the access of the app is for the users of another directory.',
  manager: 'The member has the role `manager`.',
  moderator: 'The member has the role `moderator`, which is to moderate and not to manage.',
  directory_moderator:
    'The user moderates what they see in the apps of their directory, or, without a directory, in all apps.',
  role_without_write: 'The role of the member counts only while their own access is `write`.',
  creator:
    'The user created the app, and their membership is from a release without roles, so they manage it.',
  creator_without_role:
    'The user created the app but has no role in it: it is a page, which belongs to nobody, or the membership was made again.',
  no_role: 'The user has no role in the app.',
} as const;

/** The closed set of rules. */
export type AccessRule = keyof typeof accessRules;

/** The rights in an app that an explanation is about. */
export const explainedRights = ['read', 'write', 'moderate', 'manage'] as const;

const AccessDecision = Type.Object(
  {
    is_allowed: boolean('Whether the user has the right.'),
    rule: Type.Unsafe<AccessRule>({
      type: 'string',
      enum: Object.keys(accessRules),
      description: `The rule that decides. ${Object.entries(accessRules)
        .map(([rule, sentence]) => `\`${rule}\`: ${sentence}`)
        .join(' ')}`,
    }),
    reason: string('The rule in one sentence.'),
  },
  { $id: 'AccessDecision', description: 'Whether a user has a right in an app, and by which rule.' },
);

const AppAccess = Type.Object(
  {
    app_id: described(Id, 'The id of the app.'),
    user_id: described(Id, 'The id of the user. That of `system` for an API key that asks about itself.'),
    read: described(AccessDecision, 'Whether the user sees the app and its content.'),
    write: described(
      AccessDecision,
      'Whether the user creates content, reacts and votes: in the app, or on the `post` or `file` that the request names.',
    ),
    moderate: described(AccessDecision, "Whether the user decides on everyone's content."),
    manage: described(AccessDecision, 'Whether the user changes the app and its members.'),
  },
  { $id: 'AppAccess', description: 'The rights of a user in an app, and the rules that give them.' },
);

export const accessOperations = operationsOf('Members', {
  explainAccess: {
    method: 'GET',
    path: '/api/apps/{app}/access',
    summary: 'Explains what a user may do in an app, and by which rule.',
    description:
      'Users ask about themselves, moderators and managers of the app about its members and the users that they see, and API keys about everyone. The app may be in the trash.',
    caller: 'any',
    on: { app: 'read', trashed: 'included' },
    effect: 'read',
    query: Type.Object({
      user: Type.Optional(string('The id or uid of the user. The caller when absent.')),
      post: Type.Optional(
        string('The id of a post in the app: whether the user writes on it, which its lock can prevent.'),
      ),
      file: Type.Optional(
        string('The id of a file in the app: whether the user writes on it, which its lock can prevent.'),
      ),
    }),
    success: { 200: AppAccess },
    errors: [401, 403, 404],
    problems: ['moderate_forbidden'],
  },
});
