/**
 * The uid of the comments app of a web page, from the address of the page. Imports and `/embed.js` use this one rule, so
 * imported comments appear under the page that they were written for. `docs/decisions/0060-uids-of-pages.md` gives the
 * reasons.
 *
 * The uid has 1 to 256 characters of `A-Z a-z 0-9 . _ - ~ = :`, all of which a client may put into a path unescaped:
 * - the host in lower case, without `www.` and without a trailing dot, then `:` and the port unless it is the default;
 * - `~` and each segment of the path. Empty segments and a last segment that is an index page are left out;
 * - `~~` and the query parameters joined by `~`, in the order of their names, without those that track visitors;
 * - the fragment if it begins with `#!`, because it then names a page;
 * - any other byte as `:` and two hexadecimal digits, whether the address encodes it or not.
 * A longer uid ends in `-` and the 32 hexadecimal digits of its FNV-1a hash (128 bits).
 *
 * Returns undefined for a text that is no http or https address. The function is also sent to browsers as its source text,
 * so it must not use anything outside of itself.
 */
export function pageUid(address: string): string | undefined {
  const indexPage = /^(?:index\.(?:html?|php|aspx?|jsp|cfm|cgi)|default\.(?:html?|aspx?))$/i;
  const tracking =
    /^(?:utm_\w+|(?:fb|g|d|tt|tw|y)clid|msclkid|gclsrc|[gw]braid|igshid|igsh|li_fat_id|mc_[ce]id|mkt_tok|srsltid|vero_id|_g[al]|_hs(?:enc|mi)|fb_(?:comment_id|source|ref|action_(?:ids|types))|replytocom|amp)$/i;
  const uidCharactersMax = 256;

  const trimmed = address.trim();
  // Browsers older than this test of an address have valid addresses as well.
  if (URL.canParse?.(trimmed) === false) return undefined;
  const { protocol, hostname, port, pathname, search, hash } = new URL(trimmed);
  const host = encoded(hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, ''));
  if (!/^https?:$/.test(protocol) || host === '') return undefined;

  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (indexPage.test(segments.at(-1) ?? '')) segments.pop();
  const parameters = search
    .slice(1)
    .split('&')
    .map((parameter) => {
      const [name = '', ...value] = parameter.replaceAll('+', ' ').split('=');
      return { name: encoded(name), value: encoded(value.join('=')) };
    })
    .filter(({ name }) => name !== '' && !tracking.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({ name, value }) => (value === '' ? name : `${name}=${value}`));
  const uid = [
    port === '' ? host : `${host}:${port}`,
    ...segments.map((segment) => `~${encoded(segment)}`),
    parameters.length === 0 ? '' : `~~${parameters.join('~')}`,
    hash.startsWith('#!') ? encoded(hash) : '',
  ].join('');
  if (uid.length <= uidCharactersMax) return uid;
  const suffix = `-${fnv1a(uid)}`;
  return uid.slice(0, uidCharactersMax - suffix.length) + suffix;

  /** A part of a parsed address, which is ASCII, with each byte in its one spelling. */
  function encoded(part: string): string {
    return part.replace(/%([0-9a-f]{2})|[^\w.-]/gi, (found, digits?: string) => {
      const code = digits === undefined ? found.charCodeAt(0) : Number.parseInt(digits, 16);
      const character = String.fromCharCode(code);
      if (/[\w.-]/.test(character)) return character;
      return `:${code.toString(16).toUpperCase().padStart(2, '0')}`;
    });
  }

  function fnv1a(text: string): string {
    const prime = 2n ** 88n + 0x13bn;
    let result = 0x6c62272e07bb014262b821756295c58dn;
    for (let at = 0; at < text.length; at += 1)
      result = BigInt.asUintN(128, (result ^ BigInt(text.charCodeAt(at))) * prime);
    return result.toString(16).padStart(32, '0');
  }
}
