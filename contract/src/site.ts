import Type, { type Static } from 'typebox';
import { count, described, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** The limits of the site. */
export const siteLimits = { originsMax: 20, originCharactersMax: 200, waysMax: 20 } as const;

/** What visitors may do on a page that opens from now on. */
export const pageVisitors = ['none', 'read', 'write'] as const;
/** What is held there until a moderator approves it. */
export const pageApprovals = ['none', 'rules', 'guests', 'newcomers', 'everything'] as const;

const origins = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: siteLimits.originCharactersMax,
    description: 'An origin: scheme, host and port, without a path.',
    examples: ['https://blog.example.com'],
  }),
  {
    $id: 'SiteOrigins',
    maxItems: siteLimits.originsMax,
    description: 'The origins whose pages may call the API from a browser (`CONFAB_CORS_ORIGINS`).',
  },
);

const signIn = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 30,
    description:
      'A way of signing in: `guest`; `email`, which needs `CONFAB_SMTP_URL`; or the name of a provider in `CONFAB_SIGN_IN_PROVIDERS`.',
    examples: ['guest'],
  }),
  {
    $id: 'SiteWays',
    maxItems: siteLimits.waysMax,
    description: 'How visitors can sign in, in the order in which it is offered (`CONFAB_SIGN_IN`).',
  },
);

const visitors = Type.Unsafe<(typeof pageVisitors)[number]>({
  $id: 'SiteVisitors',
  type: 'string',
  enum: [...pageVisitors],
  description:
    'What people without a credential may do on pages that open from now on: nothing, read the comments, or also write some once they have signed in (`CONFAB_PAGES_VISITORS`).',
});

const approval = Type.Unsafe<(typeof pageApprovals)[number]>({
  $id: 'SiteApproval',
  type: 'string',
  enum: [...pageApprovals],
  description:
    'What a moderator approves before others see it, on pages that open from now on with `visitors: write` (`CONFAB_PAGES_APPROVAL`).',
});

const fields = {
  origins: described(origins, 'The origins of the site.'),
  sign_in: described(signIn, 'How visitors sign in.'),
  visitors: described(visitors, 'What they may do.'),
  approval: described(approval, 'What waits for approval.'),
};

/** What is set for the site, as an event has it. */
export const StoredSite = Type.Object(
  {
    version: count('How often the site was changed.'),
    ...Type.Partial(Type.Object(fields)).properties,
    modified_at: Timestamp,
  },
  {
    $id: 'StoredSite',
    description:
      'What an API key has set for the site, in an event. A field that it left to the default is absent.',
  },
);

const fixedBy = (name: string) =>
  o(string(`The setting that gives \`${name}\`, as it is spelled where it stands.`));

const Site = Type.Object(
  {
    ...fields,
    possible_ways: Type.Array(string('A way of signing in.'), {
      description: 'The ways of signing in that the settings of the node make possible.',
    }),
    fixed: Type.Object(
      {
        origins: fixedBy('origins'),
        sign_in: fixedBy('sign_in'),
        visitors: fixedBy('visitors'),
        approval: fixedBy('approval'),
      },
      {
        description:
          'The fields that settings of the node give, which win. They are changed there, and not with this interface.',
      },
    ),
    modified_at: o(described(Timestamp, 'When the site was last changed. Absent where it never was.')),
  },
  {
    $id: 'Site',
    description: 'What a site without users of its own needs to have comments, as it is in effect.',
  },
);
/** The site, as it is in effect on the node that answers. */
export type Site = Static<typeof Site>;

const SiteUpdate = Type.Partial(Type.Object(fields), {
  $id: 'SiteUpdate',
  description: 'The fields to change; null sets a field back to its default.',
});
export type SiteUpdate = Static<typeof SiteUpdate>;

export const siteOperations = operationsOf('Server', {
  getSite: {
    method: 'GET',
    path: '/api/site',
    summary: 'Gets which pages may show comments, and who may write there.',
    description: 'Of the node that answers: what its settings give, and else what `PATCH /api/site` has set.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    success: { 200: Site },
    errors: [401],
  },
  updateSite: {
    method: 'PATCH',
    path: '/api/site',
    summary: 'Changes which pages may show comments, and who may write there, without a restart.',
    description:
      '`fixed` has what settings of the node give, which cannot be changed here. Other nodes follow within 10 seconds. Pages that exist stay as they are.',
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'wait',
    body: SiteUpdate,
    success: { 200: Site },
    errors: [400, 401, 403, 422],
    example: { origins: ['https://blog.example.com'], sign_in: ['guest'], visitors: 'write' },
  },
});
