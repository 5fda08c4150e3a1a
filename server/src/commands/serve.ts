import { type Config, isStartedByNpm, version } from '../config/config.ts';
import { pageHostsOf } from '../features/site/site-book.ts';
import { CommandError, exitFailed } from '../kernel/command-error.ts';
import { type Parts, type Running, startServer } from '../main/main.ts';
import { startIdleRelease } from '../workers/idle-memory.ts';
import { startLoop } from '../workers/runner.ts';
import { type Flags, print, readingOf, storeFailure } from './command.ts';

/**
 * Runs the server until a signal. A second signal, at least a second after the first, ends a stopping server with 128 plus
 * the signal's number.
 */
export async function serve(flags: Flags): Promise<void> {
  const { config, warnings, file } = readingOf(flags);
  const running = await startServer(config, await logParts(config)).catch((error: unknown) => {
    throw startFailure(error, config);
  });
  if (file !== undefined) running.log.info({ file }, 'settings were read from a file');
  for (const warning of warnings) running.log.warn({}, warning);
  stopOnSignals(running, config.stopSeconds);
  await running.fillDemo();
  const demo = config.demo === 'off' ? '' : `\nThe demo is at ${running.url}/demo`;
  const address = `Confab ${version} listens on ${running.url}${demo}`;
  // One write, so that a reader of the address also has the key.
  print(`${address}${firstLines(running)}${openPages(running, config)}`);
  startIdleRelease(running.log);
  await running.checkPictures();
}

/** How to get into a new store: a link for a person, a key for a program. */
function firstLines({ firstKey, firstLink }: Running): string {
  if (firstLink !== undefined)
    return `\nOpen the console: ${firstLink}\nThe link works once, for 15 minutes; "${program()} console" makes another, "${program()} key create" a key for a program.`;
  if (firstKey === undefined)
    return process.stdout.isTTY ? `\nRun "${program()} console" for a link that opens the console.` : '';
  return `\nAPI key: ${firstKey}\nThe key is shown this once and never again; "${program()} key create" makes another.`;
}

/** How this program is called in a terminal: in a clone, only npm finds it. */
function program(): string {
  return isStartedByNpm() ? 'npx confab' : 'confab';
}

/** Which pages open themselves and what waits on them; on the first start of a server without any, how to get comments. */
function openPages({ firstKey, firstLink, site }: Running, { pages }: Config): string {
  const { origins, approval } = site();
  if (pageHostsOf(site(), pages).length > 0)
    return `\nVisitors can comment on the pages of ${origins.join(', ')}. Approval of new pages: ${approval}.`;
  if ((firstKey ?? firstLink) === undefined) return '';
  return '\nFor comments on a site, open System, Site in the console: it has the two lines to paste.';
}

/**
 * Lines for people where the log goes to a terminal; elsewhere it is JSON, for programs. On a terminal requests would scroll
 * warnings away, so they have lines only where the level is the lowest.
 */
async function logParts({ logLevel }: Config): Promise<Parts> {
  const isForTerminal = process.stdout.isTTY === true;
  if (!process.stderr.isTTY) return { isForTerminal };
  const { default: pretty } = await import('pino-pretty');
  return {
    isForTerminal,
    logsRequests: logLevel === 'debug',
    logTo: pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' }),
  };
}

/** Explains why a server cannot start; unexpected errors stay as they are. */
function startFailure(error: unknown, config: Config): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  const place = `${config.host}:${config.port}`;
  if (code === 'EADDRINUSE') return new CommandError(`${place} is taken by another program`);
  const isOwnHost = code === 'ENOTFOUND' && 'hostname' in error && error.hostname === config.host;
  if (code === 'EADDRNOTAVAIL' || isOwnHost)
    return new CommandError(`${config.host} is no address of this machine`);
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return new CommandError(`${place} needs rights that this user does not have`);
  return storeFailure(error, config);
}

/**
 * How long a signal that follows the first counts as the same one, in milliseconds. A terminal signals npm and the server
 * both, and npm passes its signal on, so one Ctrl+C arrives twice.
 */
const sameSignalMs = 1000;
/** How often a server that npm started checks that its parent process still runs, in milliseconds. */
const parentLookMs = 1000;

/** Stops the server on SIGTERM and SIGINT, and when the npm that started it has ended. */
function stopOnSignals(running: Running, stopSeconds: number): void {
  let stoppingSince: number | undefined;
  const stop = async (reason: object): Promise<void> => {
    stoppingSince = performance.now();
    running.log.info(reason, 'stopping');
    const deadline = AbortSignal.timeout(stopSeconds * 1000);
    deadline.addEventListener('abort', () => {
      running.log.error({ waiting_for: running.waitingFor() }, 'stopping took too long; exiting anyway');
      process.exit(exitFailed);
    });
    await running.close();
    process.exit(0);
  };
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGINT', 2],
  ] as const)
    process.on(signal, () => {
      if (stoppingSince === undefined) void stop({ signal });
      else if (performance.now() - stoppingSince >= sameSignalMs) process.exit(128 + number);
    });
  // npm passes signals to the shell it starts, and the shell of `npx confab serve` ends without passing them on.
  if (!isStartedByNpm()) return;
  const parent = process.ppid;
  startLoop({
    name: 'the parent process',
    log: running.log,
    async step() {
      if (process.ppid === parent) return parentLookMs;
      if (stoppingSince === undefined) void stop({ parent_ended: parent });
      return undefined;
    },
  });
}
