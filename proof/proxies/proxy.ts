import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { logEnd } from 'confab-testing/harness/log-end.ts';
import { programPath } from 'confab-testing/harness/programs.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Certificate } from './certificate.ts';
import { type Cache, configurationOf, type ProxyName, replaceOnce } from './page.ts';

/** A proxy that runs with a configuration of the page. */
export type RunningProxy = { readonly url: string; stop(): Promise<void> };

/** What the page cannot know: the addresses of servers, as `host:port`, and the files and ports of this machine. */
export type ProxyOptions = {
  readonly folder: string;
  readonly certificate: Certificate;
  /** The port that it listens on, of 127.0.0.1. */
  readonly port: number;
  /** One node, or the two nodes of the configuration for several. */
  readonly nodes: readonly [string] | readonly [string, string];
  readonly cache?: Cache | undefined;
};

/** The version of the program of a proxy, which the machine must have. */
export function versionOf(name: ProxyName): string {
  const { stdout, stderr } = spawnSync(name, [name === 'caddy' ? 'version' : '-v'], {
    encoding: 'utf8',
    env: { PATH: programPath },
  });
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'of an unknown version';
}

/** Starts a proxy and resolves when it takes connections. Throws with the end of its log where it does not start. */
export async function startProxy(name: ProxyName, options: ProxyOptions): Promise<RunningProxy> {
  const folder = join(options.folder, `${name}-${options.port}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const file = join(folder, 'configuration');
  const { text, program } = await prepared(name, { ...options, folder, file });
  writeFileSync(file, text);
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const [first = name, ...others] = program;
  const child = spawn(first, others, {
    stdio: ['ignore', output, output],
    env: { PATH: programPath, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const exited = new Promise<void>((gone) => {
    child.once('error', () => gone());
    child.once('exit', () => gone());
  });
  await poll(`${name} to listen; its log is ${log}`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} does not start${logEnd(log)}`);
    return (await takesConnections(options.port)) ? true : undefined;
  });
  return { url: `https://localhost:${options.port}`, stop: () => stop(child, exited) };
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  // Two signals end all of them at once, with the connections that are open.
  child.kill('SIGINT');
  await exited;
}

async function takesConnections(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  const isOpen = await promise;
  socket.destroy();
  return isOpen;
}

type Prepared = { readonly text: string; readonly program: readonly string[] };

/** The configuration of the page with the addresses, ports and files of this machine, and how it is run. */
async function prepared(
  name: ProxyName,
  { nodes, cache, port, certificate, folder, file }: ProxyOptions & { readonly file: string },
): Promise<Prepared> {
  const [one, two] = nodes;
  const kind = two === undefined ? (cache ?? 'one node') : 'several nodes';
  const printed = configurationOf(name, kind);
  const withNodes =
    two === undefined
      ? replaceOnce(printed, /127\.0\.0\.1:8080/, one)
      : replaceOnce(replaceOnce(printed, /10\.0\.0\.11:8080/, one), /10\.0\.0\.12:8080/, two);
  if (name === 'haproxy') {
    const files = replaceOnce(withNodes, /\/etc\/haproxy\/confab\.example\.com\.pem/, certificate.both);
    const text = replaceOnce(files, /bind :443/, `bind 127.0.0.1:${port}`);
    return { text, program: ['haproxy', '-db', '-f', file] };
  }
  if (name === 'caddy') {
    const site = `localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.certificate} ${certificate.key}\n`;
    const text = replaceOnce(withNodes, /^confab\.example\.com \{\n/m, site);
    const rest = '{\n\tadmin off\n\tauto_https disable_redirects\n}\n\n';
    return { text: rest + text, program: ['caddy', 'run', '--adapter', 'caddyfile', '--config', file] };
  }
  const files = replaceOnce(
    replaceOnce(withNodes, /\/etc\/ssl\/confab\.example\.com\.pem/, certificate.certificate),
    /\/etc\/ssl\/confab\.example\.com\.key/,
    certificate.key,
  );
  const site = replaceOnce(
    replaceOnce(files, /server_name .*;/, 'server_name localhost;'),
    /listen 443/,
    `listen 127.0.0.1:${port}`,
  );
  const text =
    cache !== undefined ? replaceOnce(site, /\/var\/cache\/nginx\/confab/, join(folder, 'cache')) : site;
  return { text: nginxFile(text, folder), program: ['nginx', '-e', 'stderr', '-p', folder, '-c', file] };
}

/** What surrounds the configuration of a site; its files are in the folder of the run, which nginx cannot enter as another user. */
function nginxFile(site: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return `${user}daemon off;
pid ${join(folder, 'pid')};
events {}
http {
access_log off;
${temporary.join('\n')}
${site}}
`;
}

/** A free port for a proxy, and the address that its clients use. */
export async function freeAddress(): Promise<{ readonly port: number; readonly url: string }> {
  const port = await freePort();
  return { port, url: `https://localhost:${port}` };
}
