import { decidedEarly } from 'confab-testing/catalogue/early.ts';

/** The credentials that the rows of the catalogue are made of. */
export type Secrets = {
  readonly key: string;
  readonly token: string;
  readonly revokedKey: string;
  readonly revokedToken: string;
  readonly suspendedToken: string;
  readonly trashedToken: string;
  /** Well-formed with a valid checksum, but never issued. */
  readonly strangerKey: string;
  readonly strangerToken: string;
};

/** Raw header lines; each of these requests is 401. */
export type CredentialRow = {
  readonly name: string;
  readonly headers: (secrets: Secrets) => readonly string[];
};

const authorization = (name: string, value: (secrets: Secrets) => string): CredentialRow => ({
  name,
  headers: (secrets) => [`Authorization: ${value(secrets)}`],
});

function flip(text: string, index: number): string {
  const other = text[index] === 'a' ? 'b' : 'a';
  return text.slice(0, index) + other + text.slice(index + 1);
}

const jwt = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"system"}').toString('base64url')}.`;

/** What is no credential, or one whose checksum is wrong: the store is not asked. */
const malformed: readonly CredentialRow[] = [
  { name: 'none', headers: () => [] },
  authorization('empty', () => ''),
  authorization('only the scheme', () => 'Bearer'),
  authorization('the scheme and spaces', () => 'Bearer   '),
  authorization('without a scheme', ({ key }) => key),
  authorization('Basic', ({ key }) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`),
  authorization('Basic with the key as it is', ({ key }) => `Basic ${key}`),
  authorization('Token', ({ key }) => `Token ${key}`),
  authorization('Digest', ({ key }) => `Digest ${key}`),
  authorization('BearerX', ({ key }) => `BearerX ${key}`),
  authorization('a colon', ({ key }) => `Bearer: ${key}`),
  authorization('no space', ({ key }) => `Bearer${key}`),
  authorization('a tab', ({ key }) => `Bearer\t${key}`),
  authorization('quotes', ({ key }) => `Bearer "${key}"`),
  authorization('single quotes', ({ key }) => `Bearer '${key}'`),
  authorization('angle brackets', ({ key }) => `Bearer <${key}>`),
  authorization('text behind it', ({ key }) => `Bearer ${key} x`),
  authorization('a comma behind it', ({ key }) => `Bearer ${key},`),
  authorization('two of them', ({ key, token }) => `Bearer ${key}, Bearer ${token}`),
  authorization('two tokens', ({ key }) => `Bearer ${key} ${key}`),
  authorization('a byte beyond ASCII', ({ key }) => `Bearer ${key}\xe9`),
  authorization('a no-break space', ({ key }) => `Bearer\xa0${key}`),
  authorization('10 KiB', () => `Bearer wys_${'a'.repeat(10 * 1024)}`),
  authorization('the placeholder', () => 'Bearer <ACCESS_TOKEN>'),
  authorization('null', () => 'Bearer null'),
  authorization('undefined', () => 'Bearer undefined'),
  authorization('the prefix alone', () => 'Bearer wys_'),
  authorization('another prefix', ({ key }) => `Bearer wyx_${key.slice(4)}`),
  authorization('a key that says it is a token', ({ key }) => `Bearer wyu_${key.slice(4)}`),
  authorization('a token that says it is a key', ({ token }) => `Bearer wys_${token.slice(4)}`),
  authorization('in upper case', ({ key }) => `Bearer ${key.toUpperCase()}`),
  authorization('in lower case', ({ key }) => `Bearer ${key.toLowerCase()}`),
  authorization('reversed', ({ key }) => `Bearer ${[...key].reverse().join('')}`),
  authorization('a statement', () => "Bearer wys_' or '1'='1"),
  authorization('a JSON Web Token without a signature', () => `Bearer ${jwt}`),
  ...[1, 10, 38].map((cut) => authorization(`cut by ${cut}`, ({ key }) => `Bearer ${key.slice(0, -cut)}`)),
  authorization('with one more character', ({ key }) => `Bearer ${key}a`),
  ...Array.from({ length: 42 }, (_, index) =>
    authorization(`changed at ${index}`, ({ key }) => `Bearer ${flip(key, index)}`),
  ),
  {
    name: 'sent twice',
    headers: ({ key }) => [`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`],
  },
  {
    name: 'good, then bad',
    headers: ({ key }) => [`Authorization: Bearer ${key}`, 'Authorization: Bearer wys_x'],
  },
  {
    name: 'bad, then good',
    headers: ({ key }) => ['Authorization: Bearer wys_x', `authorization: Bearer ${key}`],
  },
  { name: 'in X-Api-Key', headers: ({ key }) => [`X-Api-Key: ${key}`] },
  { name: 'in Proxy-Authorization', headers: ({ key }) => [`Proxy-Authorization: Bearer ${key}`] },
  { name: 'in a cookie', headers: ({ key }) => [`Cookie: authorization=${key}; access_token=${key}`] },
  {
    name: 'in X-Forwarded-Authorization',
    headers: ({ key }) => [`X-Forwarded-Authorization: Bearer ${key}`],
  },
  { name: 'only somebody’s name', headers: () => ['X-Confab-User: system'] },
  {
    name: 'on behalf of what is no name',
    headers: ({ key }) => [`Authorization: Bearer ${key}`, 'X-Confab-User: a b'],
  },
];

const unknown: readonly CredentialRow[] = [
  authorization('a stranger’s key', ({ strangerKey }) => `Bearer ${strangerKey}`),
  authorization('a stranger’s token', ({ strangerToken }) => `Bearer ${strangerToken}`),
  authorization('a revoked key', ({ revokedKey }) => `Bearer ${revokedKey}`),
  authorization('a revoked token', ({ revokedToken }) => `Bearer ${revokedToken}`),
  authorization('of someone suspended', ({ suspendedToken }) => `Bearer ${suspendedToken}`),
  authorization('of someone in the trash', ({ trashedToken }) => `Bearer ${trashedToken}`),
  {
    name: 'on behalf of nobody',
    headers: ({ key }) => [`Authorization: Bearer ${key}`, 'X-Confab-User: nobody-is-called-so'],
  },
];

export const credentialRows: readonly CredentialRow[] = [...decidedEarly(malformed), ...unknown];
