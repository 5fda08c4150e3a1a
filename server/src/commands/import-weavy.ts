import { readFileSync } from 'node:fs';
import { ImportError } from 'confab-importers/import-file.ts';
import { readWeavy } from 'confab-importers/weavy/weavy.ts';
import { createBlobLinks } from '../features/blobs/blob-links.ts';
import { createUploadQuota } from '../features/blobs/upload-quota.ts';
import { createUploads } from '../features/blobs/uploads.ts';
import { linkSecret } from '../features/downloads/link-secret.ts';
import { createWeavyImport } from '../features/imports/weavy/weavy-import.ts';
import { planWeavy, type WeavyPlan } from '../features/imports/weavy/weavy-plan.ts';
import { formatWeavyReport, type WeavyReport } from '../features/imports/weavy/weavy-report.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError } from '../kernel/command-error.ts';
import { createEgress } from '../net/egress.ts';
import { createResolver } from '../net/resolver.ts';
import { parseEgressRules } from '../net/rules.ts';
import { openCommandStorage } from '../setup/blobs.ts';
import { createLog } from '../setup/store.ts';
import { configOf, type Flags, note, type OutputOptions, plainFailure, show, withStore } from './command.ts';
import { createWeavyClient, type WeavyClient } from './weavy-client.ts';

/** How long the addresses of attachments in the log are valid, in milliseconds. */
const linkMs = 24 * 3_600_000;
/** How often the progress is shown, in milliseconds. */
const progressMs = 2000;

/** The options of `confab import weavy`. */
export type WeavyFlags = OutputOptions & {
  readonly url: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly dryRun?: boolean;
  readonly keepEmails?: boolean;
};

/** `confab import weavy`: brings in what a running Weavy server has. */
export async function importWeavy(weavyFlags: WeavyFlags, flags: Flags): Promise<void> {
  const address = addressOf(weavyFlags.url);
  const key = keyOf(weavyFlags);
  const config = configOf(flags);
  // An operator names their own server here, which is often one of the same network.
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  const { egressAllow = '', egressNat64: nat64, egressPorts: ports } = config;
  const egress = createEgress({
    rules: parseEgressRules({ allow: [host, egressAllow].join(','), nat64, ports }),
    resolver: createResolver(),
  });
  try {
    const client = createWeavyClient({ address, key, egress });
    const plan = planWeavy(await readWeavy({ address, ask: client.ask, onProgress: progress() }));
    if (weavyFlags.dryRun === true)
      show({ ...reportBody(plan.report), made: null }, weavyFlags, () => formatWeavyReport(plan.report));
    else await write(plan, client, { weavyFlags, flags, address });
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    await egress.close();
  }
}

/** Writes what was pulled. */
async function write(
  plan: WeavyPlan,
  { download }: WeavyClient,
  { weavyFlags, flags, address }: { weavyFlags: WeavyFlags; flags: Flags; address: string },
): Promise<void> {
  const config = configOf(flags);
  await withStore(flags, { mayMake: true }, async (db) => {
    const parts = { log: createLog(config), clock: systemClock };
    const { storage, close } = await openCommandStorage(config, parts);
    try {
      // The log names attachments by their path alone: the address of the server is not known here.
      const secret = await linkSecret(db);
      const links = createBlobLinks({ secret, publicUrl: () => '', lifeMs: linkMs, clock: systemClock });
      // What an API key uploads has no quota, and neither has this.
      const quota = createUploadQuota({ read: db.read, clock: systemClock, bytesMax: 0 });
      const uploads = createUploads({ db, clock: systemClock, storage, quota, metrics: undefined });
      const importing = createWeavyImport({
        db,
        clock: systemClock,
        links,
        uploads,
        people: config.people,
        download,
      });
      const options = { name: address, keepsEmails: weavyFlags.keepEmails === true };
      const made = await importing.write(plan, options).catch((error: unknown) => {
        throw plainFailure(error);
      });
      const { runId, ...counts } = made;
      const body = { ...reportBody(plan.report), import_id: runId ?? null, made: madeBody(counts) };
      show(body, weavyFlags, () => formatWeavyReport(plan.report, made));
    } finally {
      await close();
    }
  });
}

function addressOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw new CommandError(`--url ${url} is no http or https address`);
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}

function keyOf({ key, keyFile }: WeavyFlags): string {
  if ((key === undefined) === (keyFile === undefined))
    throw new CommandError('give either --key or --key-file');
  try {
    const given = (key ?? readFileSync(keyFile ?? '', 'utf8')).trim();
    // A header takes visible characters of ASCII alone.
    if (!/^[!-~]+$/.test(given)) throw new CommandError('the key is empty or has characters that no key has');
    return given;
  } catch (error) {
    const isOfFile = error instanceof Error && 'syscall' in error;
    throw isOfFile ? new CommandError(error.message, { cause: error }) : error;
  }
}

/** Shows from time to time how much was read. */
function progress(): (words: string) => void {
  let shownAt = performance.now();
  return (words) => {
    if (performance.now() - shownAt < progressMs) return;
    shownAt = performance.now();
    note(`Read ${words} so far.`);
  };
}

/** The report as JSON has it. */
function reportBody(report: WeavyReport) {
  const { counts, rest } = report;
  return {
    kind: report.kind,
    source: report.source,
    found: report.found,
    imported: counts,
    left_out: report.leftOut,
    apps: report.apps,
    apps_found: report.appsFound,
    restricted_apps: report.restrictedApps,
    users: report.users,
    users_found: report.usersFound,
    members: report.members,
    not_taken_over: {
      embeds: rest.embeds,
      meetings: rest.meetings,
      versions: rest.versions,
      pictures: rest.pictures,
      attachments_elsewhere: rest.elsewhere,
      attachments_too_large: rest.large,
      more_reactions: rest.moreReactions,
      more_votes: rest.moreVotes,
      long_tags: rest.tags,
      unlisted: rest.unlisted,
    },
    notes: report.notes,
  };
}

function madeBody({
  withoutBytes,
  ...counts
}: Omit<Parameters<typeof formatWeavyReport>[1] & object, 'runId'>) {
  return { ...counts, without_bytes: withoutBytes };
}
