import { readText } from 'confab-testing/deploy.ts';
import { replaceOnce } from '../proxies/page.ts';

/** Where HAProxy listens and finds its nodes on this machine, as `host:port`; as in the containers when absent. */
export type ProxyPlaces = {
  readonly errorFile: string;
  readonly listen?: string;
  readonly nodes?: readonly [string, string];
};

/** The configuration of the Compose file with the files and addresses of this machine, and nothing else changed. */
export function proxyFor({ errorFile, listen, nodes }: ProxyPlaces): string {
  const text = readText('deploy/compose/haproxy.cfg').replaceAll(
    '/usr/local/etc/haproxy/unavailable.http',
    () => errorFile,
  );
  if (listen === undefined || nodes === undefined) return text;
  const [one, two] = nodes;
  const withNodes = replaceOnce(
    replaceOnce(text, / confab-1:8080$/m, ` ${one}`),
    / confab-2:8080$/m,
    ` ${two}`,
  );
  return replaceOnce(withNodes, /^\tbind :8080$/m, `\tbind ${listen}`);
}
