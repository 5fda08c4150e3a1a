import { type OnTarget, type Rights, type Target, targetOf } from './policy.ts';

/** The scopes of API keys. A key has one scope or several; `all` stands for every one. */
export const scopes = {
  read: 'Reads everything, and changes nothing.',
  apps: 'Creates and changes apps, their members and what is in them, and uploads files.',
  users:
    'Creates and changes users and directories, and issues access tokens, with which a client can act as any user.',
  webhooks: 'Registers and changes webhooks, and sends deliveries again.',
  moderate: 'Edits, trashes, restores and deletes what users wrote, and decides on it as a moderator does.',
} as const;

/** One of them. */
export type Scope = keyof typeof scopes;

/** The scope that an operation requires, or `all` if only an unlimited key may call it. */
export type NeededScope = Scope | 'all';

const contentScopes = {
  read: 'apps',
  edit: 'moderate',
  remove: 'moderate',
  restore: 'moderate',
  moderate: 'moderate',
  approve: 'moderate',
  report: 'apps',
} as const;

const entryScopes = { ...contentScopes, react: 'apps', inspect: 'moderate' } as const;

/** The scope that changing a kind of item needs: one for every right on it, or one for each right. */
const scopesOfTargets: { readonly [T in Target]: Scope | { readonly [R in Rights[T]]: Scope } } = {
  app: { read: 'apps', write: 'apps', moderate: 'moderate', manage: 'apps', leave: 'apps' },
  file: { ...contentScopes, write: 'apps' },
  blob: 'apps',
  embed: 'apps',
  meeting: 'apps',
  comment: { ...entryScopes, resolve: 'apps' },
  thread: 'apps',
  post: { ...entryScopes, write: 'apps' },
  message: entryScopes,
  option: 'apps',
  reaction: { read: 'apps', remove: 'moderate' },
  report: 'moderate',
  notification: 'users',
  conversation: 'apps',
  directory: 'users',
  webhook: 'webhooks',
  delivery: 'webhooks',
  user: 'users',
};

/** The properties of an operation that decide which scopes it requires. */
type Scoped = {
  readonly method: string;
  readonly caller: 'any' | 'key' | 'user' | 'visitor' | 'anyone';
  readonly on?: OnTarget | string | { readonly own: string };
  readonly scopes?: readonly NeededScope[];
};

/**
 * All scopes that an API key needs for an operation: the declared scopes, else `read` if it only reads, else
 * the scope of its target. None if no key can call it.
 */
export function scopesOf({ method, caller, on, scopes: declared }: Scoped): readonly NeededScope[] {
  if (caller === 'user' || caller === 'visitor' || caller === 'anyone') return [];
  if (declared !== undefined) return declared;
  if (method === 'GET') return ['read'];
  // The type of declarations leaves no operation without either.
  if (on === undefined || typeof on === 'string' || 'own' in on)
    throw new Error('an operation without a scope');
  const [target, right] = targetOf(on);
  const scope: Scope | { readonly [right: string]: Scope } = scopesOfTargets[target];
  const needed = typeof scope === 'string' ? scope : scope[right];
  if (needed === undefined) throw new Error(`the right ${right} has no scope`);
  return [needed];
}

/** The scopes of `needed` that a key with `scopes` lacks; a caller without a key has undefined and lacks none. */
export function missingScopes(
  needed: readonly NeededScope[],
  scopes: readonly string[] | undefined,
): NeededScope[] {
  if (scopes === undefined || scopes.includes('all')) return [];
  return needed.filter((scope) => !scopes.includes(scope));
}
