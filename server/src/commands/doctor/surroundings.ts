import { version } from '../../config/config.ts';
import { type AddressResponse, lookAt } from '../../net/look.ts';
import { connectToMailServer } from '../../net/smtp.ts';
import { openBucket } from '../../setup/blobs.ts';
import { type Examined, type Finding, messageOf } from './finding.ts';

/** Checks the surroundings of the server: Node, port, public address, proxies, mail server and bucket. */

/** The earliest Node that Confab runs on, as `server/bin/start.js` refuses earlier ones. */
const nodeMin = [24, 10] as const;
/** How far clocks may differ, in milliseconds. Tokens of identity providers tolerate as much by default. */
export const skewMsMax = 30_000;

function checkNode({ nodeVersion }: Examined): Finding[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) return [];
  const needed = nodeMin.join('.');
  return [
    {
      check: 'node',
      level: 'error',
      what: `Node is ${nodeVersion}, and Confab needs ${needed} or later.`,
      mend: `Install Node ${needed} or later from https://nodejs.org.`,
    },
  ];
}

/** The version of the Confab that answered, or undefined when it was another program. */
function confabOf({ status, body }: AddressResponse): string | undefined {
  const version = /^\{"status":"ok","version":"([^"]+)"\}\s*$/.exec(body)?.[1];
  return status === 200 ? version : undefined;
}

function hostInUrl(host: string): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return reachable.includes(':') ? `[${reachable}]` : reachable;
}

/** Finds the program that uses the port of the server. */
async function checkPort({ config: { host, port } }: Examined): Promise<Finding[]> {
  if (port === 0) return [];
  const finding = (level: Finding['level'], what: string, mend: string) => [
    { check: 'port', level, what, mend },
  ];
  const occupied = `${host}:${port} is taken by a program that is not Confab.`;
  const mend = 'Stop that program, or set CONFAB_PORT to another port.';
  try {
    const running = confabOf(await lookAt(`http://${hostInUrl(host)}:${port}/healthz`));
    if (running === undefined) return finding('error', occupied, mend);
    if (running === version) return [];
    return finding(
      'warning',
      `The server that runs is Confab ${running}, and this program is ${version}.`,
      'Restart the server, so that both are of one release.',
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Nothing listens: the server is stopped.
    if (code === 'ECONNREFUSED') return [];
    return finding(
      'error',
      code === 'EADDRNOTAVAIL' ? `${host} is no address of this machine.` : occupied,
      mend,
    );
  }
}

/** Whether a host name is that of this machine. */
export function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

async function checkPublicUrl({ config: { publicUrl }, clock }: Examined): Promise<Finding[]> {
  if (publicUrl === undefined) return [];
  const check = 'public-url';
  const findings: Finding[] = [];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && !isLocal(hostname))
    findings.push({
      check: 'tls',
      level: 'warning',
      what: `The public address ${publicUrl} has no TLS, so anyone on the network path can read tokens.`,
      mend: 'Put a proxy with TLS in front (docs/proxy.md), and set CONFAB_PUBLIC_URL to its address.',
    });
  try {
    const response = await lookAt(`${publicUrl}/healthz`);
    if (confabOf(response) === undefined)
      findings.push({
        check,
        level: 'error',
        what: `The public address ${publicUrl} responds with ${response.status}, although this server reports that it is healthy.`,
        mend: 'Start the server, and forward the requests of the proxy to it (docs/proxy.md), or correct CONFAB_PUBLIC_URL.',
      });
    const skewMs = response.date === undefined ? 0 : Math.abs(response.date - clock.now());
    if (skewMs > skewMsMax)
      findings.push({
        check: 'clock-of-address',
        level: 'warning',
        what: `The clocks of this machine and of ${publicUrl} differ by ${Math.round(skewMs / 1000)} seconds.`,
        mend: 'Have both set by NTP.',
      });
  } catch (error) {
    findings.push({
      check,
      level: 'error',
      what: `The public address ${publicUrl} cannot be reached from here: ${messageOf(error)}.`,
      mend: 'Correct CONFAB_PUBLIC_URL, its entry in DNS, its certificate, or the proxy (docs/proxy.md).',
    });
  }
  return findings;
}

/** TLS ends at a proxy, so a server with a public https address has one. */
function checkProxies({ config: { publicUrl, trustedProxies, guestsCountBy } }: Examined): Finding[] {
  if (publicUrl?.startsWith('https:') !== true) return [];
  const mend = 'Set CONFAB_TRUSTED_PROXIES to the address of the proxy.';
  const findings = (level: Finding['level'], what: string) => [{ check: 'proxies', level, what, mend }];
  if (trustedProxies === undefined)
    return guestsCountBy === 'address'
      ? findings('error', 'No proxy is named, so guests are neither limited nor counted by their addresses.')
      : findings('warning', 'No proxy is named, so clients are not limited by their addresses.');
  if (trustedProxies.rules.length === 0)
    return findings(
      'error',
      'No proxy is trusted, and the public address needs one, so all clients count as one.',
    );
  return [];
}

async function checkMail({ config: { smtpUrl } }: Examined): Promise<Finding[]> {
  if (smtpUrl === undefined) return [];
  try {
    (await connectToMailServer(smtpUrl)).close();
    return [];
  } catch (error) {
    return [
      {
        check: 'mail',
        level: 'error',
        what: `The mail server ${new URL(smtpUrl).host} does not accept a connection: ${messageOf(error)}.`,
        mend: 'Correct CONFAB_SMTP_URL, or the mail server.',
      },
    ];
  }
}

async function checkBucket({ config, clock, log }: Examined): Promise<Finding[]> {
  if (config.s3Bucket === undefined) return [];
  const findings = (what: string) => [
    {
      check: 'bucket',
      level: 'error' as const,
      what: `The bucket ${config.s3Bucket} cannot be used: ${what}.`,
      mend: 'Correct the settings CONFAB_S3_…, or the rights of the key (docs/scaling.md).',
    },
  ];
  try {
    const bucket = await openBucket(config, { log, clock, unfinishedUntil: 0 });
    const state = await bucket?.check();
    bucket?.close();
    return state?.is_answering === true ? [] : findings('it does not answer');
  } catch (error) {
    return findings(messageOf(error));
  }
}

/** Checks everything around the server. */
export async function checkSurroundings(examined: Examined): Promise<Finding[]> {
  const checks = [checkPort(examined), checkPublicUrl(examined), checkMail(examined), checkBucket(examined)];
  return [...checkNode(examined), ...checkProxies(examined), ...(await Promise.all(checks)).flat()];
}
