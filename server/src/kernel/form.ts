/**
 * The form in which a caller gets answers (decision 0180). The first form is that of the specification. Newer versions of
 * the reference client expect a second one, and name their version in every request.
 */

/** The first and the last version of the second form, by the major version of the reference client that it came with. */
const versions = { first: 23, last: 32 } as const;

/** The newest version of the second form. */
export const newestForm = versions.last;

/** `@weavy/uikit-web@32.2.0`. Two headers, which Node joins with a comma, are none. */
const source = /^@weavy\/uikit-[a-z]{1,20}@(\d{1,4})(?:\.[\w.+-]{0,40})?$/;

/**
 * The version of the second form that a request asks for with its header `X-Weavy-Source`, from 23 to 32; a later client
 * gets the last one. Undefined for the first form.
 */
export function formOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const major = Number(source.exec(String(header))?.[1] ?? 0);
  return major < versions.first ? undefined : Math.min(major, versions.last);
}
