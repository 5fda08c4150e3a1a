import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Client } from 'confab-testing/harness/client.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import type { Random } from 'confab-testing/harness/random.ts';

/** People who write, edit, remove and react in one thread over HTTP, and what the thread must have in the end. */

/** What the server has said that a comment is. */
export type Written = { readonly id: number; text: string; readonly author: number };

/** What people do, and how often out of a hundred times. */
const shares = { write: 40, answer: 30, edit: 12, remove: 6, react: 12 } as const;
export type Act = keyof typeof shares;

export type CrowdOptions = {
  readonly client: Client;
  readonly app: number;
  /** The tokens of the people. */
  readonly tokens: readonly string[];
  readonly random: Random;
  /** How long a person waits between two acts on average, in milliseconds. */
  readonly pauseMs: number;
};

/** How many of the newest comments get most answers and reactions. */
const recent = 30;
const emoji = ['👍', '🎉', '❤️', '😀'] as const;

/** Writes the comments that are there before anybody reads. */
export async function writeBefore(
  { client, app, tokens }: CrowdOptions,
  count: number,
): Promise<readonly Written[]> {
  return await inParallel({ count, atOnce: 1 }, async (number) => {
    const author = number % tokens.length;
    const text = `Before, number ${number + 1}. ${words(number)}`;
    return { id: await client.create(`/api/apps/${app}/comments`, { text }, tokens[author]), text, author };
  });
}

/** Starts people who write until `stop`. `kept` are never removed by anybody. */
export function startCrowd(
  { client, app, tokens, random, pauseMs }: CrowdOptions,
  before: readonly Written[],
  kept: ReadonlySet<number>,
) {
  const there = new Map(before.map((each) => [each.id, each]));
  const done: Record<Act, number> = { write: 0, answer: 0, edit: 0, remove: 0, react: 0 };
  const refusals: string[] = [];
  let isStopped = false;
  const acts = (Object.keys(shares) as Act[]).flatMap((act) => Array<Act>(shares[act]).fill(act));

  async function send(
    author: number,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer['body'] | undefined> {
    const answer = await client.send(method, path, body, tokens[author]);
    if (answer !== undefined && answer.status < 300) return answer.body;
    refusals.push(`${method} ${path}: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`);
    return undefined;
  }

  function drawn(): Written | undefined {
    const all = [...there.values()];
    return random.oneIn(3) ? random.pick(all) : random.pick(all.slice(-recent));
  }

  async function write(author: number, number: number, replyTo?: number): Promise<void> {
    const text = `Person ${author}, number ${number}. ${words(random.integer(0, 1000))}`;
    const answered = replyTo === undefined ? {} : { reply_to: replyTo };
    const body = await send(author, 'POST', `/api/apps/${app}/comments`, { text, ...answered });
    if (body !== undefined) there.set(Number(body['id']), { id: Number(body['id']), text, author });
  }

  const doings: Readonly<Record<Act, (author: number, number: number) => Promise<void>>> = {
    write: (author, number) => write(author, number),
    answer: (author, number) => write(author, number, drawn()?.id),
    async edit(author, number) {
      const own = random.pick([...there.values()].filter((each) => each.author === author));
      if (own === undefined) return await write(author, number);
      const text = `Edited ${number} by ${author}. ${words(random.integer(0, 1000))}`;
      if ((await send(author, 'PATCH', `/api/comments/${own.id}`, { text })) !== undefined) own.text = text;
    },
    async remove(author, number) {
      const own = random.pick(
        [...there.values()].filter((each) => each.author === author && !kept.has(each.id)),
      );
      if (own === undefined) return await write(author, number);
      there.delete(own.id);
      await send(author, 'POST', `/api/comments/${own.id}/trash`);
    },
    async react(author) {
      const id = drawn()?.id;
      if (id !== undefined)
        await send(author, 'POST', `/api/comments/${id}/reactions`, { content: random.draw(emoji) });
    },
  };

  async function live(author: number): Promise<void> {
    for (let number = 1; ; number += 1) {
      await pause(random.integer(0, 2 * pauseMs));
      if (isStopped) return;
      const act = random.draw(acts);
      await doings[act](author, number);
      done[act] += 1;
    }
  }

  const lives = tokens.map((_, author) => live(author));

  return {
    /** What the thread has now, by id, as far as the server has answered. */
    there: there as ReadonlyMap<number, Written>,
    /** How often somebody did something. */
    done: done as Readonly<Record<Act, number>>,
    /** What the server did not do. */
    refusals: refusals as readonly string[],
    /** Resolves when everybody has stopped. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(lives);
    },
  };
}

/** Some words, of one to about five lines. */
function words(number: number): string {
  return 'Words that say something. '.repeat(1 + (number % 12)).trim();
}
