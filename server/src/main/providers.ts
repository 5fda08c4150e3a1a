import { type Config, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { Site } from '../features/site/site-book.ts';
import {
  createGithubClient,
  type GithubAddresses,
  githubAddresses,
} from '../features/visitors/github-client.ts';
import { guardedFetch } from '../features/visitors/provider-client.ts';
import type { VisitorNames } from '../features/visitors/visitor-names.ts';
import type { Http } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Dial } from '../net/connector.ts';
import { createEgress } from '../net/egress.ts';
import { createRefusalLog } from '../net/refusals.ts';
import { createResolver, type Resolver } from '../net/resolver.ts';
import { egressRulesOf } from './outgoing.ts';

type Parts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: () => string;
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  readonly resolver?: Resolver;
  readonly dial?: Dial;
  /** Where GitHub is, which tests change. */
  readonly github?: GithubAddresses;
};

/** Binds the pages of the providers that the configuration names, whose packages are loaded only then. */
export async function startProviders(
  {
    config,
    clock,
    log,
    publicUrl,
    started,
    resolver = createResolver(),
    dial,
    github: addresses = githubAddresses,
  }: Parts,
  {
    http,
    rateLimits,
    site,
    canBe,
    ...parts
  }: {
    readonly db: Db;
    readonly box: SecretBox;
    readonly http: Http;
    readonly names: VisitorNames;
    readonly rateLimits: RateLimits;
    readonly site: () => Site;
    /** Whether visitors may ever sign in by a way. */
    readonly canBe: (way: string) => boolean;
  },
): Promise<void> {
  const used = (config.signInProviders ?? []).filter(({ name }) => canBe(name));
  if (used.length === 0) return;
  const [{ createOpenIdClient }, { createProviderSignIn }, { bindProviderPages }] = await Promise.all([
    import('../features/visitors/open-id-client.ts'),
    import('../features/visitors/provider-sign-in.ts'),
    import('../features/visitors/provider.routes.ts'),
  ]);
  const onRefused = createRefusalLog(log);
  const egress = createEgress({ rules: egressRulesOf(config), resolver, dial, onRefused });
  started.push({ name: 'the sockets to providers', stop: () => egress.close() });
  const fetch = guardedFetch(egress, `Confab/${version}`);
  const clients = new Map(
    used.map((provider) => [
      provider.name,
      provider.issuer === undefined
        ? createGithubClient(provider, { call: fetch, addresses })
        : createOpenIdClient(provider, { fetch, now: clock.now }),
    ]),
  );
  const providers = createProviderSignIn({ ...parts, clock, publicUrl, clients });
  bindProviderPages(http, { providers, site, rateLimits, publicUrl, log });
}
