import Type, { type Static } from 'typebox';
import { boolean, count, described, Id, limits, string, Text, Timestamp, UserRef } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** Limits of the rules. */
export const ruleLimits = {
  rulesMax: 100,
  nameCharactersMax: 64,
  wordsMax: 1000,
  wordCharactersMax: 128,
  /** Of the rules as JSON: they are in an event, and each node reads them whole. */
  bytesMax: 64 * 1024,
  patternCharactersMax: 512,
  linksMax: 100,
  countMax: 1000,
  secondsMax: 86_400,
  hoursMax: 8760,
} as const;

/** The actions of a rule on a text that it matches, from mildest to strictest. */
export const ruleActions = ['report', 'hold', 'refuse'] as const;
/** One of them. */
export type RuleAction = (typeof ruleActions)[number];

const Action = Type.Unsafe<RuleAction>({ type: 'string', enum: [...ruleActions] });

const seconds = Type.Integer({
  minimum: 1,
  maximum: ruleLimits.secondsMax,
  description: 'The length of the window in seconds, at most a day.',
});

const RuleName = Type.String({
  minLength: 1,
  maxLength: ruleLimits.nameCharactersMax,
  pattern: '\\S',
  description: 'The unique name of the rule, not blank and not `hook`. Staff see it, authors do not.',
  examples: ['links of newcomers'],
});

export const Rule = Type.Object(
  {
    name: RuleName,
    action: described(
      Action,
      'The action on a text that matches: `report` shows it and files a report, `hold` hides it until a moderator approves it, `refuse` responds with 403 `text_refused`. If several rules match, the strictest action applies.',
    ),
    words: o(
      Type.Array(Type.String({ minLength: 1, maxLength: ruleLimits.wordCharactersMax }), {
        minItems: 1,
        maxItems: ruleLimits.wordsMax,
        description:
          'Matches a text with one of these words or phrases. Only whole words count; what a search ignores (case, accents, vowel signs, forms of letters, punctuation, invisible characters) does not.',
      }),
    ),
    pattern: o(
      Type.String({
        minLength: 1,
        maxLength: ruleLimits.patternCharactersMax,
        description: 'Matches a text with a line that this regular expression (RE2) matches, ignoring case.',
        examples: ['\\bt\\.me/[a-z0-9_]{5,}'],
      }),
    ),
    links_max: o(
      Type.Integer({
        minimum: 0,
        maximum: ruleLimits.linksMax,
        description: 'Matches a text with more links than this. An embed counts as a link.',
      }),
    ),
    equal_texts: o(
      Type.Object(
        {
          of: Type.Unsafe<'user' | 'everyone'>({
            type: 'string',
            enum: ['user', 'everyone'],
            description:
              '`user` counts the equal texts of the author; `everyone` counts the users who sent an equal text.',
          }),
          count: Type.Integer({
            minimum: 2,
            maximum: ruleLimits.countMax,
            description: 'The number of texts from which on the rule matches.',
          }),
          seconds,
          characters_min: o(
            Type.Integer({
              minimum: 1,
              maximum: limits.textBytesMax,
              description: 'Shorter texts do not count, because many users say "thank you". 40 when absent.',
            }),
          ),
        },
        {
          description:
            'Matches a text that was already sent within the window. Texts are equal when their words are equal.',
        },
      ),
    ),
    rate: o(
      Type.Object(
        {
          count: Type.Integer({
            minimum: 1,
            maximum: ruleLimits.countMax,
            description: 'How many texts of a user within the window the rule lets pass.',
          }),
          seconds,
        },
        { description: 'Matches a text of a user who has sent many texts. Edits count as well.' },
      ),
    ),
    newcomer_hours: o(
      Type.Integer({
        minimum: 1,
        maximum: ruleLimits.hoursMax,
        description:
          'Limits the rule to users who were created less than this many hours ago, and to guests who are not trusted. When absent, the rule applies to every user.',
      }),
    ),
    only_open_apps: o(
      boolean(
        'Whether the rule is limited to apps, in any directory, in which non-members may write. False when absent.',
      ),
    ),
  },
  {
    $id: 'Rule',
    description:
      'A rule for texts: a name, an action, exactly one condition (`words`, `pattern`, `links_max`, `equal_texts` or `rate`), and limits to certain users and apps.',
  },
);
export type Rule = Static<typeof Rule>;

const Rules = Type.Array(Rule, {
  maxItems: ruleLimits.rulesMax,
  description: 'The rules, at most 100, and at most 64 KiB as JSON.',
});
const includesBots = boolean('Whether the rules hold for bots too. False when absent.');

const RuleCount = Type.Object(
  {
    name: described(RuleName, 'The name of the rule, or `hook` for the hook of the operator.'),
    reported: count('How many texts it reported.'),
    held: count('How many texts it held.'),
    refused: count('How many texts it refused.'),
    last_at: o(described(Timestamp, 'When it last matched a text. Absent until then.')),
  },
  { $id: 'RuleCount', description: 'Statistics of a rule since it has this name.' },
);

const ruleSet = {
  version: count('The version of the rules, which every change raises by one; 0 where none were ever set.'),
  includes_bots: boolean('Whether the rules hold for bots too.'),
  rules: Rules,
  modified_at: o(described(Timestamp, 'When the rules were last changed. Absent where none were ever set.')),
};

export const RuleSet = Type.Object(ruleSet, {
  $id: 'RuleSet',
  description: 'The rules that texts are screened with, in an event.',
});

const ModerationRules = Type.Object(
  {
    ...ruleSet,
    counts: Type.Array(RuleCount, {
      description:
        'Statistics of each rule, in the order of the rules, and then of the hook if it did anything. The counts lag behind the responses by a moment.',
    }),
  },
  { $id: 'ModerationRules', description: 'The rules that texts are screened with.' },
);

const matches = Type.Array(
  Type.Object(
    { name: string('The name of the rule.'), action: described(Action, 'What the rule does.') },
    { description: 'A rule that matches.' },
  ),
  { description: 'The rules that match, and `hook` if the hook of the operator took an action.' },
);

export const RuleMatch = Type.Object(
  {
    id: described(Id, 'The id of the comment, post or message.'),
    type: Type.String({ description: '`comment`, `post` or `message`.', examples: ['comment'] }),
    rules: matches,
  },
  { $id: 'RuleMatch', description: 'A text that rules matched.' },
);

const RulesReplacement = Type.Object(
  {
    version: count(
      'The version that the client has read. If the rules have changed since, the request is refused.',
    ),
    includes_bots: o(includesBots),
    rules: Rules,
  },
  { $id: 'ModerationRulesReplacement', description: 'The rules that replace the present ones.' },
);
export type RulesReplacement = Static<typeof RulesReplacement>;

const TextToTest = Type.Object(
  {
    text: Text,
    user: o(
      described(UserRef, 'The id or uid of the user who would send it. A user of long standing when absent.'),
    ),
    app: o(
      Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        description: 'The id or uid of the app that it would be sent to. A closed app when absent.',
      }),
    ),
  },
  { $id: 'TextToTest', description: 'A text to test the rules with.' },
);
export type TextToTest = Static<typeof TextToTest>;

const RuleTest = Type.Object(
  {
    action: Type.Unsafe<'take' | RuleAction>({
      type: 'string',
      enum: ['take', ...ruleActions],
      description: 'The action that would be taken on the text; `take` means that it is accepted.',
    }),
    exempt: o(
      Type.Unsafe<'moderator' | 'bot'>({
        type: 'string',
        enum: ['moderator', 'bot'],
        description:
          'Why no rule holds for the user: as a moderator or manager of the app, or as a bot. Absent where the rules hold.',
      }),
    ),
    matches: described(matches, 'The rules that match, in their order, also where the user is exempt.'),
  },
  { $id: 'RuleTest', description: 'The result of testing the rules on a text.' },
);

export type ModerationRules = Static<typeof ModerationRules>;

/** An example of the rules, for the reference. */
const example: RulesReplacement = {
  version: 0,
  rules: [{ name: 'links of newcomers', action: 'hold', links_max: 1, newcomer_hours: 72 }],
};

export const moderationOperations = operationsOf('Moderation', {
  getModerationRules: {
    method: 'GET',
    path: '/api/moderation/rules',
    summary: 'Gets the rules that screen texts, and the statistics of each.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    success: { 200: ModerationRules },
    errors: [401],
  },
  replaceModerationRules: {
    method: 'PUT',
    path: '/api/moderation/rules',
    summary: 'Replaces the rules that texts are screened with.',
    description:
      'The rules screen what users create and edit: comments, posts and messages with their options and tags. API keys, moderators and managers are exempt. Send the `version` that you have read: if the rules were changed since, nothing is replaced. A change applies to texts that arrive later, on every node within 10 seconds.',
    caller: 'key',
    scopes: ['moderate'],
    on: 'server',
    effect: 'change',
    body: RulesReplacement,
    neverNull: ['version', 'rules'],
    success: { 200: ModerationRules },
    errors: [400, 401, 403, 422],
    example,
  },
  testModerationRules: {
    method: 'POST',
    path: '/api/moderation/test',
    summary: 'Tests which rules match a text, and what would happen to it.',
    description:
      'Changes nothing: the text does not count for rules about earlier texts, and the hook of the operator is not called.',
    caller: 'key',
    scopes: ['moderate'],
    on: 'server',
    effect: 'read',
    body: TextToTest,
    success: { 200: RuleTest },
    errors: [400, 401, 403, 422],
    example: { text: 'Buy now: https://example.com', user: 'ada', app: 'product-42' },
  },
});
