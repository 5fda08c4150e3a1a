import { configFrom } from 'confab-server/src/config/config.ts';
import { type Parts, type Running, startServer } from 'confab-server/src/main/main.ts';
import { ratesOutOfReach } from '../rates.ts';
import { freshKey } from './confab-process.ts';

/** How to start a server in this process. */
export type LocalOptions = {
  /** The folder of its data, which the server creates if it does not exist. */
  readonly folder: string;
  /** The API key that it accepts; a fresh one when absent. */
  readonly key?: string;
  /** Variables of its environment, which go before those that every such server gets. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether its rates are those that a server has by default; otherwise nobody reaches them. */
  readonly hasDefaultRates?: boolean;
  /** Its clock and other parts that are replaced. */
  readonly parts?: Parts;
  /** The start of another checkout; that of this one when absent. */
  readonly start?: typeof startServer;
};

/** A server in this process. At the end of a scope with `await using` it is closed. */
export type LocalServer = Running & AsyncDisposable & { readonly key: string };

/**
 * Starts a server in this process on a free port, without a log unless `settings` say otherwise. Throws what the start
 * of a server throws.
 */
export async function startLocal(options: LocalOptions): Promise<LocalServer> {
  const { folder, key = freshKey(), settings = {}, parts = {}, start = startServer } = options;
  const config = configFrom({
    CONFAB_DATA_DIR: folder,
    CONFAB_API_KEY: key,
    CONFAB_PORT: '0',
    CONFAB_LOG_LEVEL: 'silent',
    ...(options.hasDefaultRates === true ? {} : ratesOutOfReach),
    ...settings,
  });
  const running = await start(config, parts);
  return { ...running, key, [Symbol.asyncDispose]: () => running.close() };
}
