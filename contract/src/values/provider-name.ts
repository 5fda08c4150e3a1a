/** Names of providers as they write them; an operator may use others. */
const providerNames: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
  keycloak: 'Keycloak',
};

/** The name of a provider, by the word that `CONFAB_SIGN_IN` has for it. */
export function providerName(way: string): string {
  return providerNames[way] ?? way;
}
