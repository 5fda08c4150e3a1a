import type { JWTVerifyGetKey } from 'jose';
import { type Config, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createBanBook } from '../features/bans/ban-book.ts';
import { createAuthentication } from '../features/credentials/authentication.ts';
import { limitGuesses } from '../features/credentials/guesses.ts';
import type { JwtKey } from '../features/credentials/jwt.ts';
import { createJwtCallers } from '../features/credentials/jwt-callers.ts';
import { createKeys, createKeyUses } from '../features/credentials/keys.ts';
import type { ProviderKeys } from '../features/credentials/provider-keys.ts';
import { createSessions } from '../features/credentials/sessions.ts';
import { createRateLimits } from '../features/limits/limits.ts';
import type { Bans } from '../kernel/bans.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { StorageQuotas } from '../kernel/principal.ts';
import type { Dial } from '../net/connector.ts';
import { createEgress } from '../net/egress.ts';
import { createRefusalLog } from '../net/refusals.ts';
import { createResolver, type Resolver } from '../net/resolver.ts';
import { isListedAddress, isListedHost } from '../net/rules.ts';
import { checkTarget } from '../net/target.ts';
import { startKeyUses } from '../workers/key-uses.ts';
import { startLoop } from '../workers/runner.ts';
import { egressRulesOf } from './outgoing.ts';

type AccessOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** The parts to stop, in the order in which they were started. */
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  readonly resolver?: Resolver;
  readonly dial?: Dial;
  readonly isQuiet?: boolean;
  /** Whether a new store gets a link to the console in place of its first key. */
  readonly isForTerminal?: boolean;
};

/** The quotas of what users and visitors store. */
export function storageOf({ storagePersonBytes, storageAppBytes }: Config): StorageQuotas {
  return { personBytesMax: storagePersonBytes, appBytesMax: storageAppBytes };
}

/** Callers and their rate limits: API keys, and users with tokens of this server or of an identity provider. */
export async function startAccess(options: AccessOptions, { db }: { db: Db }) {
  const { config, clock, log, metrics, started } = options;
  const keys = createKeys({ db, clock });
  const uses = createKeyUses({ db, clock });
  if (config.apiKey !== undefined) await keys.accept(config.apiKey);
  const noting = options.isQuiet === true ? undefined : startKeyUses({ write: uses.write, log });
  started.push({ name: 'the last use of keys', stop: () => noting?.stop() });
  const note = (keyId: number): void => {
    if (uses.note(keyId)) noting?.nudge();
  };
  const noteUse = (keyId: number): void => {
    if (db.confirmed === undefined) note(keyId);
    // A key that was revoked is not used.
    else
      db.confirmed().then(
        () => note(keyId),
        () => undefined,
      );
  };
  const byJwt = await startJwt(options, db);
  const storage = storageOf(config);
  const rateLimits = createRateLimits(
    { db, clock, log, metrics },
    {
      person: config.limitsPerson,
      moderator: config.limitsModerator,
      key: config.limitsKey,
      address: config.limitsAddress,
    },
  );
  const bans = startBans(options, db);
  const sessions = createSessions({ db, clock });
  const firstLink = options.isForTerminal === true ? (await sessions.firstLink())?.secret : undefined;
  return {
    keys,
    sessions,
    rateLimits,
    bans,
    authenticate: limitGuesses(createAuthentication({ db, clock, storage, byJwt, noteUse }), rateLimits),
    firstLink,
    firstKey: firstLink === undefined ? await keys.createFirst() : undefined,
  };
}

/** How often each of several nodes checks for changed bans whose notice it missed, in milliseconds. */
const lookMs = 5000;

/** The bans of addresses that this node knows. */
function startBans({ clock, log, started }: AccessOptions, db: Db): Bans {
  const book = createBanBook({ db, clock });
  const look = startLoop({
    name: 'bans',
    log,
    async step() {
      await book.look();
      return db.peers === undefined ? undefined : lookMs;
    },
  });
  started.push({ name: 'the bans', stop: () => look.stop() });
  return book;
}

/** The part that identifies the bearers of JSON Web Tokens; undefined where none are accepted. */
async function startJwt(options: AccessOptions, db: Db) {
  const { config, clock } = options;
  const { jwtIssuer: issuer, jwtAudience: audience } = config;
  if (issuer === undefined || audience === undefined) return undefined;
  const { createJwtVerifier } = await import('../features/credentials/jwt.ts');
  const provider =
    config.jwtJwksUrl === undefined
      ? undefined
      : await startProviderKeys(options, { url: config.jwtJwksUrl, onChange: () => callers.forget() });
  const verify = createJwtVerifier(
    {
      issuer,
      audience,
      key: keyOf(config, provider),
      directoryClaim: config.jwtDirectoryClaim,
      lifeMsMax: config.jwtLifeMinutes * 60_000,
      skewMs: config.jwtSkewSeconds * 1000,
    },
    options,
  );
  const source = { verify, refresh: () => provider?.refresh() };
  const callers = createJwtCallers({ db, clock, source });
  return callers.authenticate;
}

function keyOf(config: Config, provider: ProviderKeys | undefined): JwtKey {
  const key = config.jwtSecret === undefined ? config.jwtPublicKey : Buffer.from(config.jwtSecret);
  const verifier: JwtKey | JWTVerifyGetKey | undefined = key ?? provider?.keyOf;
  if (verifier === undefined) throw new Error('an issuer of tokens is set without a key');
  return verifier;
}

/** Reads the keys of the provider through the guarded way out. Throws an Error for an address that it does not permit. */
async function startProviderKeys(
  { config, clock, log, started, dial, resolver = createResolver() }: AccessOptions,
  { url, onChange }: { readonly url: string; readonly onChange: () => void },
): Promise<ProviderKeys> {
  const rules = egressRulesOf(config);
  const target = checkTarget(url, rules);
  if (!target.ok) throw new Error(`CONFAB_JWT_JWKS_URL is refused: ${target.message}`);
  const { protocol, hostname } = target.url;
  if (protocol === 'http:' && !isListedHost(hostname, rules) && !isListedAddress(hostname, rules))
    throw new Error(
      'CONFAB_JWT_JWKS_URL must begin with https, or its host must stand in CONFAB_EGRESS_ALLOW',
    );
  const { createProviderKeys } = await import('../features/credentials/provider-keys.ts');
  const egress = createEgress({ rules, resolver, dial, onRefused: createRefusalLog(log) });
  started.push({ name: 'the keys of the identity provider', stop: () => egress.close() });
  return createProviderKeys({ url, egress, userAgent: `Confab/${version}`, clock, log, onChange });
}
