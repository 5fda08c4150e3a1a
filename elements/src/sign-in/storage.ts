/** The storage of the site for this browser; undefined where it is blocked. */
export function siteStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
