import { defaultRates, type Rates, rateMax, ratesText } from 'confab-server/src/kernel/rate-limits.ts';

function highest(rates: Rates): string {
  return ratesText(Object.fromEntries(Object.keys(rates).map((kind) => [kind, rateMax])));
}

/**
 * Rate limits that no test and no benchmark reaches, for servers that one caller sends more than a person would. Loopback
 * addresses are not limited.
 */
export const ratesOutOfReach: Record<string, string> = {
  CONFAB_LIMITS_PERSON: highest(defaultRates.person),
  CONFAB_LIMITS_MODERATOR: highest(defaultRates.moderator),
  CONFAB_LIMITS_KEY: highest(defaultRates.key),
};

/** The same for an earlier release, which may not know every kind. */
export const ratesOff: Record<string, string> = Object.fromEntries(
  Object.keys(ratesOutOfReach).map((name) => [name, 'off']),
);
