import { type Config, settingNameOf } from '../config/config.ts';
import type { GivenSite } from '../features/site/site-book.ts';

/** The site as far as the settings of a node decide about it. */

/** What the settings of a node give of the site: those that stand anywhere. */
export function givenSite(config: Config): GivenSite {
  const { corsOrigins, signIn, pagesVisitors, pagesApproval } = config;
  const [origins, ways, visitors, approval] = (
    ['corsOrigins', 'signIn', 'pagesVisitors', 'pagesApproval'] as const
  ).map((name) => settingNameOf(config, name));
  return {
    ...(origins === undefined ? {} : { origins: { value: [...corsOrigins], by: origins } }),
    ...(ways === undefined ? {} : { sign_in: { value: [...signIn], by: ways } }),
    ...(visitors === undefined ? {} : { visitors: { value: pagesVisitors, by: visitors } }),
    ...(approval === undefined ? {} : { approval: { value: pagesApproval, by: approval } }),
  };
}

/** The ways of signing in that the settings make possible. */
export function possibleWaysOf({ smtpUrl, signInProviders = [] }: Config): readonly string[] {
  return ['guest', ...(smtpUrl === undefined ? [] : ['email']), ...signInProviders.map(({ name }) => name)];
}
