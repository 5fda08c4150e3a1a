import Type, { type Static } from 'typebox';
import { boolean, described, string } from './fields.ts';
import { operationsOf } from './operation.ts';
import { SignInWays } from './sign-in-ways.ts';
import { UserDetail } from './users.ts';

const o = Type.Optional;

/** The limits of signing in. */
export const signInLimits = {
  nameCharactersMax: 60,
  /** How long an access token of a visitor is valid, in seconds. */
  accessSeconds: 3600,
  /** How long an inactive visitor stays signed in, in seconds. */
  renewalSeconds: 30 * 24 * 3600,
  /** How long a puzzle can be solved, in seconds. */
  puzzleSeconds: 300,
  /** How long the code and the link of an email are valid, in seconds. */
  mailSeconds: 900,
  /** How many codes can be tried for one email. */
  codeTriesMax: 5,
  /** A picture of 512 KiB in base64, with what stands before it. */
  pictureCharactersMax: 700_000,
} as const;

const name = Type.String({
  minLength: 1,
  maxLength: signInLimits.nameCharactersMax,
  description:
    'The name that is shown. It may not look like that of a moderator or of another visitor, also not in letters that look alike.',
  examples: ['Ada'],
});

const hex = { maxLength: 256 } as const;

const PuzzleData = Type.Object(
  { until: Type.Integer({ description: 'Until when the puzzle can be sent, in seconds since 1970.' }) },
  { $id: 'PuzzleData', description: 'What comes with a puzzle.' },
);

/** The parameters of a puzzle, in the form of ALTCHA 2. */
const PuzzleParameters = Type.Object(
  {
    algorithm: string('The hash function.'),
    cost: Type.Integer({ description: 'How often it is applied.' }),
    keyLength: Type.Integer({ description: 'How many bytes of the hash count.' }),
    keyPrefix: Type.String({ ...hex, description: 'How the hash has to begin, in hexadecimal digits.' }),
    nonce: Type.String({ ...hex, description: 'What comes before the number.' }),
    salt: Type.String({ ...hex, description: 'What comes before that.' }),
    data: described(PuzzleData, 'What the server wants to know of it.'),
  },
  { $id: 'PuzzleParameters', description: 'What has to be solved.' },
);

const Puzzle = Type.Object(
  {
    parameters: described(PuzzleParameters, 'What has to be solved.'),
    signature: Type.String({ ...hex, description: 'By which the server knows its own puzzle.' }),
  },
  {
    $id: 'Puzzle',
    description:
      'A proof of work in the form of ALTCHA 2: find a `counter` so that the hash of salt, nonce and counter (32 bits, the highest byte first) begins with `keyPrefix`. The library `altcha-lib` does.',
  },
);
export type Puzzle = Static<typeof Puzzle>;

const PuzzleSolution = Type.Object(
  {
    counter: Type.Integer({
      minimum: 0,
      maximum: 4_294_967_295,
      description: 'The number that solves the puzzle.',
    }),
    derivedKey: Type.String({ ...hex, description: 'The hash, in hexadecimal digits.' }),
  },
  { $id: 'PuzzleSolution', description: 'The solution of a puzzle.' },
);

const SolvedPuzzle = Type.Object(
  {
    challenge: described(Puzzle, 'The puzzle as it was given.'),
    solution: described(PuzzleSolution, 'The solution of this puzzle.'),
  },
  { $id: 'SolvedPuzzle', description: 'A puzzle with its solution.' },
);
export type SolvedPuzzle = Static<typeof SolvedPuzzle>;

const GuestSignIn = Type.Object(
  {
    name,
    email: o(
      Type.String({
        maxLength: 254,
        description: 'An email address, which only API keys see. No email is sent to it.',
      }),
    ),
    puzzle: o(described(SolvedPuzzle, 'A solved puzzle, where the server asks for one.')),
  },
  { $id: 'GuestSignIn', description: 'Who a guest says to be.' },
);
export type GuestSignIn = Static<typeof GuestSignIn>;

const SignedIn = Type.Object(
  {
    access_token: Type.String({
      description: 'The token, for the header `Authorization: Bearer`.',
      examples: ['wyv_0123456789ABCDEFGHIJKLMNOPQRSTUV3mjk7s'],
    }),
    expires_in: Type.Integer({ description: 'How long the token is valid, in seconds.' }),
    renewal_secret: Type.String({
      description: 'What gets the next token. It works once and comes with a new one.',
      examples: ['wyr_0123456789ABCDEFGHIJKLMNOPQRSTUV3mjk7s'],
    }),
    renewal_expires_in: Type.Integer({ description: 'How long the secret is valid, in seconds.' }),
    user: described(UserDetail, 'The visitor who has signed in.'),
  },
  { $id: 'SignedIn', description: 'What a visitor has signed in with. It is shown here and never again.' },
);

const Renewal = Type.Object(
  { renewal_secret: Type.String({ maxLength: 100, description: 'The secret of the last answer.' }) },
  { $id: 'Renewal', description: 'What stays signed in.' },
);

const CodeExchange = Type.Object(
  {
    code: Type.String({
      maxLength: 100,
      description: 'The code that the window of Confab has given the page.',
    }),
    verifier: Type.String({
      minLength: 43,
      maxLength: 128,
      description:
        'The text of which the page sent the SHA-256 as `challenge` when it opened the window (RFC 7636).',
      examples: ['dBjftJeZ4CVP-mBqYVGEVw8ZyH2M4ZCw1JcVvVbXn7E'],
    }),
  },
  { $id: 'CodeExchange', description: 'The code of a window, with the proof that the page has opened it.' },
);

const EmailSignIn = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'The address of the mailbox.' }),
    origin: Type.String({
      maxLength: 300,
      description: 'The origin of the page, which has to be one of `CONFAB_CORS_ORIGINS`.',
      examples: ['https://blog.example.com'],
    }),
    challenge: Type.String({
      minLength: 43,
      maxLength: 43,
      description: 'The SHA-256 of the verifier of the page, in base64url (RFC 7636).',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
    return_to: o(
      Type.String({
        maxLength: 2000,
        description:
          'The address of the page, for the link of the email, which goes there. Its origin is `origin`. Without it the email has no link.',
      }),
    ),
  },
  { $id: 'EmailSignIn', description: 'The mailbox of a visitor, and the page that wants to know.' },
);
export type EmailSignIn = Static<typeof EmailSignIn>;

const Ticket = Type.Object(
  {
    ticket: string('What the code of the email is sent with.'),
    expires_in: Type.Integer({ description: 'How long the email is good, in seconds.' }),
  },
  { $id: 'SignInTicket', description: 'What a window waits with. It says nothing about the mailbox.' },
);

const MailedCode = Type.Object(
  {
    ticket: Type.String({ maxLength: 100, description: 'The ticket of the answer before.' }),
    code: Type.String({ maxLength: 20, description: 'The six digits of the email.', examples: ['042137'] }),
    name: o(described(name, 'The name of a visitor who signs in for the first time.')),
  },
  { $id: 'MailedCode', description: 'The code of an email.' },
);
export type MailedCode = Static<typeof MailedCode>;

const MailedLink = Type.Object(
  {
    secret: Type.String({
      maxLength: 100,
      description: 'What the link of the email has in its fragment, up to the dot.',
    }),
    challenge: Type.String({
      minLength: 43,
      maxLength: 43,
      description:
        'The `challenge` with which a page of this browser has asked for the email. The fragment has it after the dot, to be compared.',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
    name: o(described(name, 'The name of a visitor who signs in for the first time.')),
  },
  { $id: 'MailedLink', description: 'The link of an email.' },
);
export type MailedLink = Static<typeof MailedLink>;

const Confirmed = Type.Object(
  {
    code: o(string('The code for the page, with which it gets the tokens. Absent while a name is missing.')),
    needs_name: boolean(
      'Whether this is a new visitor, whose name is missing. Send it with the same code again.',
    ),
    origin: string('The origin of the page.'),
    return_to: o(string('The address of the page, where it was given.')),
  },
  { $id: 'SignInConfirmed', description: 'That a mailbox is confirmed.' },
);

const MailRefusal = Type.Object(
  { secret: Type.String({ maxLength: 100, description: 'What the link of the email has in its fragment.' }) },
  { $id: 'MailRefusal', description: 'An email that its reader did not ask for.' },
);

const VisitorPatch = Type.Object(
  {
    name: o(name),
    picture: o(
      Type.String({
        maxLength: signInLimits.pictureCharactersMax,
        description:
          'A PNG, JPEG, GIF or WebP of at most 512 KiB as a `data:` address in base64; null takes the picture away. Others see a small copy. Ids of blobs and addresses on the web are refused.',
      }),
    ),
  },
  { $id: 'VisitorPatch', description: 'What a visitor can change of themselves.' },
);

const MailboxAddition = Type.Object(
  { email: EmailSignIn.properties.email, origin: EmailSignIn.properties.origin },
  { $id: 'MailboxAddition', description: 'A mailbox by which a visitor wants to sign in as well.' },
);

const AddedMailbox = Type.Object(
  { ticket: MailedCode.properties.ticket, code: MailedCode.properties.code },
  { $id: 'AddedMailbox', description: 'The code of an email that was sent to a visitor who had signed in.' },
);

const anyone = { caller: 'anyone', on: { own: 'for people without a credential' } } as const;

export const signingInOperations = operationsOf('Signing in', {
  getSignIn: {
    method: 'GET',
    path: '/api/sign-in',
    summary: 'Says how visitors can sign in.',
    description: 'Pages of any origin may read it.',
    ...anyone,
    effect: 'read',
    success: { 200: SignInWays },
    errors: [],
  },
  makePuzzle: {
    method: 'POST',
    path: '/api/sign-in/puzzle',
    summary: 'Makes a puzzle for a guest.',
    description:
      'It can be sent within five minutes and once. The more often an address signs in, the longer its puzzles take. Where the server asks for none, the answer is 404.',
    ...anyone,
    effect: 'read',
    success: { 200: Puzzle },
    errors: [404],
  },
  signInAsGuest: {
    method: 'POST',
    path: '/api/sign-in/guest',
    summary: 'Signs a guest in, who is a new visitor each time.',
    description: 'Where `CONFAB_SIGN_IN` does not list `guest`, the answer is 404.',
    ...anyone,
    effect: 'wait',
    body: GuestSignIn,
    success: { 200: SignedIn },
    answersSecret: true,
    errors: [400, 403, 404, 422],
    problems: ['puzzle_unsolved'],
    example: { name: 'Ada' },
  },
  signInByEmail: {
    method: 'POST',
    path: '/api/sign-in/email',
    summary: 'Sends a code and a link to a mailbox.',
    description:
      'The answer and its time are the same whatever is known of the mailbox, and also where no email is sent because its owner wants none, or because the network of the caller has had five sent to it in an hour, or all together ten. Spellings with `+` count as one mailbox. The code and the link are good for 15 minutes and once. Where `CONFAB_SIGN_IN` does not list `email`, the answer is 404.',
    ...anyone,
    effect: 'wait',
    body: EmailSignIn,
    success: { 200: Ticket },
    answersSecret: true,
    errors: [400, 404, 422],
  },
  confirmCode: {
    method: 'POST',
    path: '/api/sign-in/email/code',
    summary: 'Confirms a mailbox by the code of an email.',
    description: 'Five codes can be tried for each email.',
    ...anyone,
    effect: 'wait',
    body: MailedCode,
    success: { 200: Confirmed },
    answersSecret: true,
    errors: [400, 403, 404, 422],
    problems: ['sign_in_ended'],
  },
  confirmLink: {
    method: 'POST',
    path: '/api/sign-in/email/link',
    summary: 'Confirms a mailbox by the link of an email.',
    description:
      'The code in the answer is of use only to the page that asked for the email, in the browser in which it did: nobody else knows the verifier. Give it to that page alone. Another `challenge` than that of the request is refused and uses up nothing.',
    ...anyone,
    effect: 'wait',
    body: MailedLink,
    success: { 200: Confirmed },
    answersSecret: true,
    errors: [400, 403, 404, 422],
    problems: ['sign_in_ended'],
  },
  refuseMail: {
    method: 'POST',
    path: '/api/sign-in/email/refusal',
    isForBanned: true,
    summary: 'Stops the codes to a mailbox for a week, by the link of an email that nobody asked for.',
    ...anyone,
    effect: 'wait',
    body: MailRefusal,
    success: { 204: null },
    errors: [400, 403, 404],
    problems: ['sign_in_ended'],
  },
  exchangeCode: {
    method: 'POST',
    path: '/api/sign-in/token',
    summary: 'Signs a visitor in with the code of a window.',
    description:
      'The code works once and for a minute, and is gone after a try with a wrong verifier. When it comes a second time, somebody has copied it, so the session that it began ends.',
    ...anyone,
    effect: 'wait',
    body: CodeExchange,
    success: { 200: SignedIn },
    answersSecret: true,
    errors: [400, 403],
    problems: ['sign_in_ended'],
  },
  renewSignIn: {
    method: 'POST',
    path: '/api/sign-in/renewal',
    summary: 'Gets a visitor the next access token.',
    description:
      'The secret works once. When it comes a second time, somebody has copied it, so the session ends: its tokens and its secrets.',
    ...anyone,
    effect: 'wait',
    body: Renewal,
    success: { 200: SignedIn },
    answersSecret: true,
    errors: [400, 403],
    problems: ['sign_in_ended'],
  },
  signOut: {
    method: 'DELETE',
    path: '/api/sign-in',
    isForBanned: true,
    summary: 'Signs the visitor out: here, or everywhere.',
    caller: 'visitor',
    on: 'caller',
    effect: 'change',
    query: Type.Object({
      everywhere: o(boolean('Whether every session of the visitor ends, and not only the one of the token.')),
    }),
    success: { 204: null },
    errors: [401],
  },
  updateVisitor: {
    method: 'PATCH',
    path: '/api/user',
    summary: 'Changes the name and the picture of the visitor.',
    description:
      'Where `CONFAB_SIGN_IN_PICTURES` does not let the visitor have a picture, sending one is 422. Ten pictures of a person and 50 from an address are taken in a day. While an app holds what the visitor writes, another name or picture is 422 once something of theirs has waited there, and so is a name that a rule refuses or holds.',
    caller: 'visitor',
    on: 'caller',
    effect: 'change',
    body: VisitorPatch,
    neverNull: ['name'],
    success: { 200: UserDetail },
    errors: [400, 401, 422],
    example: { name: 'Ada L.' },
  },
  addMailbox: {
    method: 'POST',
    path: '/api/user/mailbox',
    summary: 'Sends a code to a mailbox by which the visitor wants to sign in as well.',
    description:
      'The answer and its time are the same whatever is known of the mailbox, and also where no email is sent because its owner wants none, or because the network of the caller has had five sent to it in an hour, or all together ten. Spellings with `+` count as one mailbox. Where `CONFAB_SIGN_IN` does not list `email`, the answer is 404.',
    caller: 'visitor',
    on: 'caller',
    effect: 'wait',
    body: MailboxAddition,
    success: { 200: Ticket },
    answersSecret: true,
    errors: [400, 401, 403, 404, 422],
  },
  confirmMailbox: {
    method: 'POST',
    path: '/api/user/mailbox/code',
    summary: 'Confirms that mailbox by the code of the email, which joins the accounts of both.',
    description:
      'A mailbox that has no account becomes a way of the visitor, and a guest is none any more. Where another visitor signs in by it, that account stays: it gets the other ways, the comments, reactions and reports of the caller, whose account is erased, and the answer is for it. Five codes can be tried for each email. The session of the token ends in any case. An account that is suspended joins none.',
    caller: 'visitor',
    on: 'caller',
    effect: 'wait',
    body: AddedMailbox,
    success: { 200: SignedIn },
    answersSecret: true,
    errors: [400, 401, 403, 404],
    problems: ['sign_in_ended'],
  },
});
