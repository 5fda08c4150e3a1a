/**
 * HTML that the server rendered from the Markdown of users: a closed set of elements, made safe when it was written. This
 * is the one place where text becomes HTML; the browser refuses any other (`require-trusted-types-for`).
 */

type Policy = { readonly createHTML: (text: string) => string };
type Factory = { readonly createPolicy: (name: string, rules: Policy) => Policy };

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const rules: Policy = { createHTML: (text) => text };
const policy = factory?.createPolicy('confab', rules) ?? rules;

/** Shows the field `html` of an entry. */
export function ServerHtml({ html }: { readonly html: string }) {
  return <div class="content" dir="auto" dangerouslySetInnerHTML={{ __html: policy.createHTML(html) }} />;
}
