import { randomUUID } from 'node:crypto';
import { appAccess } from '../../access/app-access.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { startTimer } from '../../kernel/timer.ts';
import type { Egress } from '../../net/egress.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import { type AgentRow, findAgent, secretOwner } from '../agents/agents.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import type { TypingNotices } from '../typing/type.ts';
import {
  type AnswerFault,
  agentCaller,
  createAnswerWriter,
  failedAnswer,
  type HeldQuestion,
} from './answer.ts';
import {
  claimQuestion,
  dueQuestions,
  finishedQuestion,
  forgetQuestions,
  freeQuestions,
  holdQuestions,
  releaseQuestions,
} from './answers.store.ts';
import { type Completion, complete } from './completions.ts';
import { readPrompt, stateField } from './prompt.ts';

/**
 * Answering asks the providers of agents and writes what they say.
 *
 * A step of the loop takes questions that nobody holds, the oldest of each chat, and starts a *job* for each. Jobs run
 * beside each other, so an agent that does not answer delays nobody: it has few of the jobs of a node, and each ends after
 * a time. A node holds its questions for a moment and renews that as long as it lives; what a killed node held is taken by
 * the next one, which asks again and goes on with the message that was begun. A question that was taken too often is
 * given up with a message that says so.
 */

/** How many jobs run at a time, and how many of them for one agent. */
const jobsMax = 32;
const jobsPerAgentMax = 8;
/** How long a question is held, and how often that is renewed while jobs run, in milliseconds. */
const holdMs = 15_000;
const renewMs = 5000;
/** How often questions are looked for, in milliseconds. */
const pollMs = 1000;
/** How often an answer is edited and the agent is shown as writing, in milliseconds. */
const editMs = 1000;
/** How often a question is taken before it is given up. */
const attemptsMax = 3;
/** How long a finished question is kept, to count those of a user, and how many are deleted at a time. */
const keptMs = 3_600_000;
const forgottenMax = 100;

/** What answering needs. */
export type AnsweringParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly links: BlobLinks;
  readonly storage: BlobStorage;
  readonly box: SecretBox;
  readonly egress: Egress;
  readonly userAgent: string;
} & TypingNotices;

/** The work of the loop of answers. */
export type Answering = {
  /** Takes questions; returns the milliseconds until the next step. `nudge` starts another one when a job has ended. */
  step(nudge: () => void): Promise<number>;
  /** Ends the jobs, and leaves their questions to other nodes or the next start. */
  stop(): Promise<void>;
};

/** Creates the work of one node. */
export function createAnswering(parts: AnsweringParts): Answering {
  const { db, clock, log } = parts;
  const holder = randomUUID();
  const stopping = new AbortController();
  const jobs = new Map<number, { readonly agentId: number; readonly done: Promise<void> }>();
  let isFirst = true;
  let renewedAt = performance.now();

  /** The agents that have as many jobs as they may. */
  function fullAgents(): number[] {
    const byAgent = Map.groupBy(jobs.values(), ({ agentId }) => agentId);
    return [...byAgent].filter(([, held]) => held.length >= jobsPerAgentMax).map(([id]) => id);
  }

  async function takeDue(nudge: () => void): Promise<void> {
    const now = clock.now();
    const top = jobsMax - jobs.size;
    if (top <= 0) return;
    const due = await db.read.all(dueQuestions, { now, full: fullAgents(), top });
    for (const question of due) {
      const isFull = fullAgents().includes(question.agentId);
      if (isFull || jobs.has(question.messageId)) continue;
      const claim = { messageId: question.messageId, holder, now, until: now + holdMs };
      if ((await db.write((tx) => tx.changed(claimQuestion, claim))) === 0) continue;
      const held = { ...question, holder, attempts: question.attempts + 1 };
      const done = runJob(parts, held, stopping.signal).then(() => {
        jobs.delete(question.messageId);
        nudge();
      });
      jobs.set(question.messageId, { agentId: question.agentId, done });
    }
  }

  async function renew(): Promise<void> {
    if (jobs.size === 0 || performance.now() - renewedAt < renewMs) return;
    renewedAt = performance.now();
    const ids = [...jobs.keys()];
    await db.write((tx) => tx.run(holdQuestions, { ids, holder, until: clock.now() + holdMs }));
  }

  async function forget(): Promise<void> {
    const before = clock.now() - keptMs;
    if ((await db.read.get(finishedQuestion, { before })) === undefined) return;
    await db.write((tx) => tx.run(forgetQuestions, { before, top: forgottenMax }));
  }

  return {
    async step(nudge) {
      // What an earlier process of a store without other nodes held is free at once.
      if (isFirst && db.peers === undefined) await db.write((tx) => tx.run(freeQuestions, {}));
      isFirst = false;
      await renew();
      await takeDue(nudge);
      await forget();
      return pollMs;
    },

    async stop() {
      stopping.abort();
      log.debug({ jobs: jobs.size }, 'the jobs of agents are ended');
      await Promise.all([...jobs.values()].map(({ done }) => done));
      await db.write((tx) => tx.run(releaseQuestions, { holder }));
    },
  };
}

/** Answers one question. Never throws: what fails is logged, and the question is taken again once nobody holds it. */
async function runJob(parts: AnsweringParts, question: HeldQuestion, signal: AbortSignal): Promise<void> {
  const { log } = parts;
  const job = new AbortController();
  try {
    await answer(parts, question, { job, signal: AbortSignal.any([signal, job.signal]) });
  } catch (error) {
    if (!signal.aborted && !job.signal.aborted)
      log.error(
        { err: error, message: question.messageId, agent: question.agentId },
        'an agent could not answer',
      );
  } finally {
    // A write that failed leaves a request behind.
    job.abort();
  }
}

async function answer(
  parts: AnsweringParts,
  question: HeldQuestion,
  { job, signal }: { readonly job: AbortController; readonly signal: AbortSignal },
): Promise<void> {
  const { db, log } = parts;
  const writer = createAnswerWriter({ ...parts, holdMs }, question);
  const fail = async (
    fault: AnswerFault,
    { text = '', detail }: { text?: string; detail?: string | undefined } = {},
  ) => {
    log.warn(
      { agent: question.agentId, message: question.messageId, fault, detail },
      'an agent has not answered',
    );
    await writer.write(failedAnswer(text, fault), { isLast: true });
  };
  const agent = await findAgent(db.read, question.agentId);
  const messages =
    agent === undefined ? undefined : await readPrompt({ ...parts, read: db.read }, question, agent);
  if (agent === undefined || agent.baseUrl === null || messages === undefined) return await writer.finish();
  if (question.attempts > attemptsMax) return await fail('gave_up');
  const secret = openSecret(parts, agent);
  if (secret === 'lost') return await fail('secret');

  let latest = '';
  const asked = complete(parts.egress, {
    agent,
    secret,
    messages,
    userAgent: parts.userAgent,
    signal,
    onText(text) {
      latest = text;
    },
  });
  // An answer that an earlier process has begun is not made shorter: it is written when it is complete.
  const isWhole = question.isWhole === 1 || writer.isBegun();
  const { text, fault, detail } = await withProgress(asked, async (isFirst) => {
    await showTyping(parts, question);
    if (isWhole || latest === '' || isFirst) return;
    if (!(await writer.write({ text: latest, metadata: { [stateField]: 'writing' } }, { isLast: false })))
      job.abort();
  });
  if (fault === undefined) await writer.write({ text }, { isLast: true });
  else await fail(fault, { text, detail });
}

/** Waits for an answer, and calls `tick` at once and then every second until it is there. */
async function withProgress(
  asked: Promise<Completion>,
  tick: (isFirst: boolean) => Promise<void>,
): Promise<Completion> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  // The error is thrown below.
  const ended = asked.then(end, end);
  for (let isFirst = true; !isOver; isFirst = false) {
    await tick(isFirst);
    if (isOver) break;
    const pause = Promise.withResolvers<void>();
    const timer = startTimer(editMs, pause.resolve);
    await Promise.race([ended, pause.promise]);
    timer.stop();
  }
  return await asked;
}

/** The key of an address; `lost` when no key of this server opens it. */
function openSecret({ box, log }: AnsweringParts, agent: AgentRow): string | undefined {
  if (agent.secret === null) return undefined;
  try {
    return box.open(agent.secret, secretOwner(agent.id));
  } catch (error) {
    log.error({ err: error, agent: agent.id }, 'the key of an agent cannot be read');
    return 'lost';
  }
}

async function showTyping({ db, clock, typing }: AnsweringParts, question: HeldQuestion): Promise<void> {
  const caller = await agentCaller(db.read, question.agentId);
  if (caller === undefined) return;
  const ref = { id: question.appId };
  const look = { read: db.read, caller, ref, isTrashedIncluded: false, at: clock.now() };
  const app = await appAccess.write(look).catch(() => undefined);
  if (app === undefined) return;
  typing.announce({ caller, app, place: { id: app.id, type: 'app' }, what: 'message' });
}
