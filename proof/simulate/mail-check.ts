import { type MailConnection, MailError } from 'confab-server/src/net/smtp.ts';
import type { Machine } from './machine.ts';
import type { Actor } from './simulated-time.ts';
import type { StoreView } from './store-view.ts';
import type { Look, Trace } from './trace.ts';

const minutes = 60_000;
const hours = 60 * minutes;
/** docs/keeping-a-community.md: ten minutes after a mention, a reply or a private message, a day after anything else. */
const directMs = 10 * minutes;
const digestMs = 24 * hours;

type Unread = { readonly id: number; readonly at: number; readonly reason: string };

/** The mail server of a run, and the check that each user gets what is due, when it is due, and once. */
export class MailCheck {
  readonly #machine: Machine;
  readonly #view: StoreView;
  readonly #trace: Trace;
  /** Up to which notification messages that were sent have covered what a user had not read. */
  readonly #covered = new Map<number, number>();
  /** Whether the server takes mail. */
  #isWell = true;
  #wellSince = 0;
  sent = 0;

  constructor(machine: Machine, { view, trace }: { view: StoreView; trace: Trace }) {
    this.#machine = machine;
    this.#view = view;
    this.#trace = trace;
  }

  setWell(isWell: boolean): void {
    if (isWell && !this.#isWell) this.#wellSince = this.#machine.time.now();
    this.#isWell = isWell;
  }

  /** Connects a node to the mail server. */
  connect(actor: Actor, wrongMs: () => number): () => Promise<MailConnection> {
    const { time, random } = this.#machine;
    const step = async (): Promise<void> => {
      if (this.#machine.cutsAt(actor)) await new Promise(() => {});
      await time.sleep(actor, random.integer(1, 200));
    };
    const refusal = (cause: object): MailError =>
      new MailError('the mail server did not take a message', { cause, isCommitted: false });
    return async () => {
      await step();
      if (!this.#isWell && random.oneIn(2)) throw new Error('the mail server cannot be reached');
      return {
        send: async ({ to, commit }) => {
          await step();
          if (!this.#isWell) throw refusal({ responseCode: 451 });
          const before = this.#view.mailState(to);
          await commit();
          const after = this.#view.mailState(to);
          if (before !== undefined && after !== undefined) this.#sent(before, after.upto, wrongMs());
          await step();
        },
        close: () => {},
      };
    };
  }

  #sent(
    { userId, upto: before }: { readonly userId: number; readonly upto: number },
    upto: number,
    wrongMs: number,
  ): void {
    const now = this.#machine.time.trueTime();
    this.sent += 1;
    this.#trace.note(`mail to user ${userId} about ${before} to ${upto}`);
    const covered = this.#covered.get(userId) ?? 0;
    if (upto <= covered) this.#trace.fail('mail', `user ${userId} got a second message about ${upto}`);
    const about = this.#view.unread(userId, covered).filter(({ id }) => id <= upto);
    const firstDue = Math.min(...about.map(dueOf));
    if (firstDue - now > wrongMs + 1)
      this.#trace.fail('mail', `user ${userId} got a message ${Math.round((firstDue - now) / 1000)} s early`);
    this.#covered.set(userId, Math.max(covered, upto));
  }

  /** Checks that no message is overdue. */
  sample({ now, wrongMs, wellMs }: Look): void {
    // A message that was put off is tried again after 5 minutes at first and 6 hours at last.
    const lateMs = 7 * hours;
    const takesMailMs = this.#isWell ? this.#machine.time.now() - this.#wellSince : 0;
    if (Math.min(wellMs, takesMailMs) < lateMs) return;
    for (const { userId } of this.#view.mailUsers()) {
      const overdue = this.#view
        .unread(userId, this.#covered.get(userId) ?? 0)
        .find((each) => now - dueOf(each) > lateMs + wrongMs);
      if (overdue !== undefined && !this.#view.isCovered(userId, overdue.id))
        this.#trace.fail('mail', `user ${userId} has got no message about ${overdue.id}, which is overdue`);
    }
  }
}

function dueOf({ at, reason }: Unread): number {
  return at + (reason === 'mention' || reason === 'reply' ? directMs : digestMs);
}
