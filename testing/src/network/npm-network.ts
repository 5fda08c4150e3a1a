import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from 'confab-tools/places.ts';

const run = promisify(execFile);

/** Variables by which Node and npm find a proxy and the certificate authorities that they trust. */
const variables = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(?:https?|no)_proxy)$/i;

/** Settings of npm about its registry, its cache, and how it reaches them. The login is in the files. */
const settings = [
  ...['registry', 'cafile', 'strict-ssl', 'proxy', 'https-proxy', 'noproxy'],
  ...['cache', 'offline', 'userconfig', 'globalconfig'],
];

/** How long npm waits for a response, and when it is ended, in milliseconds: it has no limit for a TLS handshake. */
const responseMs = 15_000;
const endMs = 17_000;

/** A package that the server needs, with few versions. */
const sample = 'saxes';

/** Variables of a process. */
export type Variables = { readonly [name: string]: string | undefined };

/**
 * The variables that npm needs to reach its registry as it does with the variables `own`, whichever its home folder is.
 * Settings of npm come from `own` or from its files.
 */
export function npmNetwork(own: Variables): Variables {
  const listed = execFileSync('npm', ['config', 'ls', '-l', '--json'], {
    cwd: root,
    env: own,
    encoding: 'utf8',
  });
  const set: { readonly [name: string]: unknown } = JSON.parse(listed);
  return Object.fromEntries([
    ...Object.entries(own).filter(([name]) => variables.test(name)),
    ...settings
      .map((name) => [`npm_config_${name.replaceAll('-', '_')}`, String(set[name] ?? '')])
      .filter(([, value]) => value !== ''),
  ]);
}

/**
 * Why npm does not reach its registry with the variables `env`, with what to set; undefined if it does, and where npm is
 * set to be offline. Once npm runs, this takes 17 seconds at most. The empty folder `folder` replaces the cache, which
 * would respond for a registry that is out of reach.
 */
export async function registryFault(env: Variables, folder: string): Promise<string | undefined> {
  if (env['npm_config_offline'] === 'true') return undefined;
  const limits = { npm_config_fetch_retries: '0', npm_config_fetch_timeout: String(responseMs) };
  const viewing = run('npm', ['view', sample, 'version', '--loglevel=verbose'], {
    cwd: folder,
    env: { ...env, ...limits, npm_config_cache: join(folder, 'cache') },
  });
  // From its first line on: a busy machine may take long to start it.
  viewing.child.stderr?.once('data', () => {
    AbortSignal.timeout(endMs).addEventListener('abort', () => viewing.child.kill('SIGKILL'));
  });
  try {
    await viewing;
    return undefined;
  } catch (error) {
    const { stderr, signal } = error as { stderr?: string; signal?: string };
    if (stderr === undefined) throw error;
    const said = stderr.split('\n').filter((line) => line.startsWith('npm error'));
    return faultText(env, signal === 'SIGKILL' ? [`there was no response in ${endMs / 1000} s`] : said);
  }
}

function faultText(env: Variables, said: readonly string[]): string {
  const advice = /CERT|SIGNATURE|SSL|TLS/.test(/code (\S+)/.exec(said[0] ?? '')?.[1] ?? '')
    ? 'Node does not trust its certificate. Name the file of its certificate authority in NODE_EXTRA_CA_CERTS or as "cafile" of npm.'
    : 'Set "registry" of npm to one within reach, or the proxy in HTTPS_PROXY or as "https-proxy" of npm. With npm_config_offline=true the packages come from the cache of npm.';
  const given = Object.keys(env).filter((name) => variables.test(name));
  return [
    `npm does not reach the registry ${env['npm_config_registry']}, from which the packages are installed.`,
    advice,
    `Variables that are set: ${given.join(', ') || 'none'}.`,
    ...said,
  ].join('\n');
}
