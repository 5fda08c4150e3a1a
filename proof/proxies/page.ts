import { readGuide } from 'confab-testing/page-code.ts';

/** The proxies whose configurations `docs/proxy.md` prints, each with the package of Debian that has it. */
export const proxyPackages = { nginx: 'nginx', caddy: 'caddy', haproxy: 'haproxy' } as const;
/** One of these proxies; its program has the same name. */
export type ProxyName = keyof typeof proxyPackages;

/** The cache of the page, or one in front of everything, which has only the headers of the server to go by. */
export type Cache = 'cache' | 'cache of everything';

const page = readGuide('proxy.md');
const headings = { nginx: 'nginx', caddy: 'Caddy', haproxy: 'HAProxy' } as const;
const languages = { nginx: 'nginx', caddy: 'caddyfile', haproxy: 'haproxy' } as const;
/** What the block for several nodes replaces in the whole configuration. */
const replacedParts = {
  nginx: /^upstream confab \{[^}]*\}\n/m,
  caddy: /^\treverse_proxy [\s\S]*?^\t\}\n/m,
  haproxy: /^backend confab\n[\s\S]*/m,
} as const;

/**
 * The configuration of a proxy as the page prints it: with the part for several nodes, or with a cache.
 * Throws where the page does not have what a part replaces.
 */
export function configurationOf(name: ProxyName, kind: 'one node' | 'several nodes' | Cache): string {
  const whole = page.codeBelow(`## ${headings[name]}`, languages[name]);
  if (kind === 'several nodes') {
    const part = page.codeBelow(`### Several nodes with ${headings[name]}`, languages[name]);
    return replaceOnce(whole, replacedParts[name], part);
  }
  if (kind === 'one node') return whole;
  const [outside = '', inside = ''] = page.codeIn('nginx').filter((code) => code.includes('proxy_cache'));
  const cached = outside + replaceOnce(whole, /^\t\tproxy_buffering off;\n/m, inside);
  return kind === 'cache'
    ? cached
    : replaceOnce(cached, /proxy_cache \$confab_cache;/, 'proxy_cache confab;');
}

/** Replaces the only match of a pattern. Throws where a text has none or several. */
export function replaceOnce(text: string, pattern: RegExp, by: string): string {
  const count = [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags}`))].length;
  if (count !== 1) throw new Error(`the configuration of the page has ${pattern} ${count} times`);
  return text.replace(pattern, () => by);
}
