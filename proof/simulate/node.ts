import type { UnixMs } from 'confab-contract/values/time.ts';
import { bindAll } from 'confab-server/src/binding/handler.ts';
import type { Config } from 'confab-server/src/config/config.ts';
import type { Db } from 'confab-server/src/db/db.ts';
import { removeKeptAnswers } from 'confab-server/src/db/kept-answers.ts';
import { removeDeleted } from 'confab-server/src/features/apps/app-purge.ts';
import { createBanBook } from 'confab-server/src/features/bans/ban-book.ts';
import { createBlobLinks } from 'confab-server/src/features/blobs/blob-links.ts';
import { createAuthentication } from 'confab-server/src/features/credentials/authentication.ts';
import { isCounting } from 'confab-server/src/features/erasures/erasing.ts';
import { createMailLinks } from 'confab-server/src/features/mail/mail-links.ts';
import { createMailer } from 'confab-server/src/features/mail/mailer.ts';
import { forgetTexts } from 'confab-server/src/features/moderation/moderation.ts';
import { createNotifier } from 'confab-server/src/features/notifications/notifier.ts';
import { redactDeleted } from 'confab-server/src/features/redactions/redactions.ts';
import { createPictures } from 'confab-server/src/features/users/pictures.ts';
import { actorOf } from 'confab-server/src/features/users/user-json.ts';
import { purgeDeletedWebhooks } from 'confab-server/src/features/webhooks/registration/delete.ts';
import { createLanes } from 'confab-server/src/features/webhooks/sending/lanes.ts';
import { readJson } from 'confab-server/src/http/bodies/body.ts';
import { bodyReader } from 'confab-server/src/http/bodies/validate.ts';
import type { Call } from 'confab-server/src/http/call.ts';
import type { Http } from 'confab-server/src/http/server.ts';
import type { Clock } from 'confab-server/src/kernel/clock.ts';
import { Input } from 'confab-server/src/kernel/input.ts';
import type { Log } from 'confab-server/src/kernel/log.ts';
import type { Principal } from 'confab-server/src/kernel/principal.ts';
import type { SecretBox } from 'confab-server/src/kernel/secret-box.ts';
import { handlers } from 'confab-server/src/main/handlers.ts';
import { startModeration } from 'confab-server/src/main/moderation.ts';
import { retentionOf, retentionSweeps } from 'confab-server/src/main/retention.ts';
import type { Egress } from 'confab-server/src/net/egress.ts';
import { parseEgressRules } from 'confab-server/src/net/rules.ts';
import type { MailConnection } from 'confab-server/src/net/smtp.ts';
import { startMailer } from 'confab-server/src/workers/mailer.ts';
import { startNotifier } from 'confab-server/src/workers/notifier.ts';
import { startRemoval, startRetention, startWebhookPurge } from 'confab-server/src/workers/removal.ts';
import { startLoop } from 'confab-server/src/workers/runner.ts';
import { startSecretKeeper } from 'confab-server/src/workers/secret-keeper.ts';
import { startWebhookSender } from 'confab-server/src/workers/webhook-sender.ts';
import type { Machine } from './machine.ts';
import { nodeStore, type Watch } from './node-store.ts';
import type { Actor } from './simulated-time.ts';

/** The interval of the checks that `server/src/main` makes for nodes that missed the news of a change, in milliseconds. */
const lookMs = 5000;
const secret = 'the secret of simulated links';
const url = 'http://confab.test';

/** The clock of a machine, which may be wrong. */
export class NodeClock implements Clock {
  /** By how many milliseconds it is ahead of the true time. */
  offsetMs = 0;
  /** When it was last set, in the time of the run. */
  setAt = Number.NEGATIVE_INFINITY;
  readonly #trueTime: () => number;

  constructor(trueTime: () => number) {
    this.#trueTime = trueTime;
  }

  /** Sets it so far ahead of the true time, at a moment of the run. */
  set(offsetMs: number, at: number): void {
    this.offsetMs = offsetMs;
    this.setAt = at;
  }

  now(): UnixMs {
    return Math.floor(this.#trueTime() + this.offsetMs);
  }
}

/** What a node gets besides the machine. */
export type NodeOptions = {
  readonly config: Config;
  readonly clock: NodeClock;
  readonly log: Log;
  readonly box: SecretBox;
  readonly random: () => number;
  readonly watches: readonly Watch[];
  /** The way of a node to its receivers and to the mail server. */
  readonly egress: (actor: Actor) => Egress;
  readonly connectToMail: (actor: Actor) => () => Promise<MailConnection>;
};

/** The request of a client. */
export type Asked = {
  readonly credential: string;
  readonly params?: object;
  readonly body?: object;
  readonly idempotencyKey?: string;
};

/** A node that runs: the loops of a server with everything that takes time, and its operations. */
export type SimulatedNode = {
  readonly actor: Actor;
  readonly clock: NodeClock;
  readonly db: Db;
  /** Calls an operation as a client would. Rejects with the problem of the answer; a node that ends never answers. */
  call(operation: string, asked: Asked): Promise<unknown>;
  authenticate(credential: string): Promise<Principal>;
  /** Throws `address_banned` for a client at a banned address. */
  assertFree(address: string): Promise<void>;
};

type Answer = {
  readonly read: ReturnType<typeof bodyReader> | undefined;
  readonly run: (call: Call<never>) => Promise<unknown>;
};

/** Starts a node: the loops as `server/src/main/main.ts` starts them, with the real functions of Confab. */
export async function startNode(
  machine: Machine,
  actor: Actor,
  options: NodeOptions,
): Promise<SimulatedNode> {
  const { clock, log, box } = options;
  const db = nodeStore(machine, actor, options.watches);
  return await machine.time.as(actor, async () => {
    startUpkeep(db, options);
    const operations = bindOperations(db, options);
    const bans = createBanBook({ db, clock });
    loopOf('bans', log, async () => {
      await bans.look();
      return db.peers === undefined ? undefined : lookMs;
    });
    const authenticate = createAuthentication({
      db,
      clock,
      storage: { personBytesMax: undefined, appBytesMax: undefined },
      byJwt: undefined,
      noteUse: () => {},
    });
    startMail(db, options, actor);
    const identify = (credential: string) =>
      authenticate({ authorization: `Bearer ${credential}`, onBehalfOf: undefined });
    await startSending(db, { ...options, box }, actor);
    return {
      actor,
      clock,
      db,
      authenticate: identify,
      assertFree: async (address) => bans.assertFree(address),
      async call(operation, { credential, params = {}, body, idempotencyKey }) {
        const answer = operations.get(operation);
        if (answer === undefined) throw new Error(`there is no operation ${operation}`);
        const principal = await identify(credential);
        const key =
          idempotencyKey === undefined
            ? undefined
            : { key: idempotencyKey, fingerprint: Buffer.from(operation + JSON.stringify([params, body])) };
        const raw = { headers: {}, query: {} };
        const sent = readJson(Buffer.from(body === undefined ? '' : JSON.stringify(body)));
        const input = answer.read?.(sent, { isStrict: true }) ?? Input.of(undefined);
        const call = { principal, params, query: {}, body: input, idempotencyKey: key, raw };
        return await answer.run(call as never);
      },
    };
  });
}

function loopOf(name: string, log: Log, step: () => Promise<number | undefined>): void {
  startLoop({ name, log, step });
}

/** The loops for work that becomes due with time. */
function startUpkeep(db: Db, { config, clock, log, box }: NodeOptions): void {
  const removal = startRemoval({ remove: () => removeDeleted({ db, clock, isHeldBack: isCounting }), log });
  db.onCommit('removals', removal.nudge);
  const purge = startWebhookPurge({ purge: () => purgeDeletedWebhooks(db), log });
  db.onCommit('removals', purge.nudge);
  startRetention({
    sweeps: [
      retentionOf(config, { db, clock, log }).sweep,
      () => removeKeptAnswers({ db, clock }),
      () => forgetTexts({ db, clock }),
      () => redactDeleted({ db, clock }),
      ...retentionSweeps(config, { db, clock }),
    ],
    log,
  });
  startSecretKeeper({ db, clock, box, seals: false, log });
  const notifier = startNotifier({
    notifier: createNotifier({ db, clock, people: config.people, log }),
    log,
  });
  db.onCommit('events', notifier.nudge);
}

function startMail(db: Db, { config, clock, log, connectToMail }: NodeOptions, actor: Actor): void {
  const links = createMailLinks({ db, clock, secret, publicUrl: () => url });
  const mailer = createMailer({
    db,
    clock,
    log,
    metrics: undefined,
    connect: connectToMail(actor),
    links: {
      toUser: links.toUser,
      toReport: (_, { reportId }) => `${url}/decide/${reportId}`,
      toComment: (_, commentId) => `${url}/decide/${commentId}`,
    },
    options: {
      from: config.mailFrom ?? '',
      link: config.mailLink,
      origins: () => [],
      console: () => `${url}/console`,
      delayMs: config.mailDelayMinutes * 60_000,
      digestMs: config.mailDigestHours * 3_600_000,
    },
  });
  db.onCommit('events', startMailer({ mailer, log }).nudge);
}

async function startSending(
  db: Db,
  { config, clock, log, random, box, egress }: NodeOptions,
  actor: Actor,
): Promise<void> {
  const sender = await startWebhookSender({
    lanes: createLanes({ db, clock }),
    egress: egress(actor),
    clock,
    random,
    log,
    metrics: undefined,
    trace: () => undefined,
    name: {
      headerPrefix: config.webhookHeaderPrefix,
      isStripe: false,
      userAgent: 'Confab-Hookshot/simulated',
      box,
    },
  });
  db.onCommit('webhooks', sender.forget);
  db.onCommit('deliveries', sender.nudge);
}

/** The operations by their ids, bound as over HTTP. */
function bindOperations(db: Db, { config, clock, log, box }: NodeOptions): ReadonlyMap<string, Answer> {
  const operations = new Map<string, Answer>();
  const http: Pick<Http, 'bind'> = {
    bind(operation, run) {
      const read = operation.body === undefined ? undefined : bodyReader(operation);
      operations.set(operation.id, { read, run: run as Answer['run'] });
    },
  };
  const links = createBlobLinks({ secret, publicUrl: () => url, clock, lifeMs: 86_400_000 });
  const parts = {
    db,
    clock,
    links,
    box,
    actorOf,
    people: config.people,
    moderation: startModeration({ config, clock, log, started: [] }, { db }),
    webhookRules: parseEgressRules(),
    // Nothing in a run has a file.
    pictures: createPictures({ db, links, uploads: {} as never }),
  };
  bindAll(http as Http, handlers, parts as never);
  return operations;
}
