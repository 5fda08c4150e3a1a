import { setTimeout as pause } from 'node:timers/promises';
import { current, type Facts, type Model, type Tracked } from 'confab-testing/harness/model.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import type { Sender } from 'confab-testing/nodes/node.ts';

type Way = Pick<Sender, 'send'>;

/** The tracked facts of a comment: its app, and its text, which is its marker and its version number. */
export const factsOf = {
  comment: ({ app_id, text }: { readonly [name: string]: unknown }): Facts => ({ app_id, text }),
};

/** A client that writes its own comments, one request at a time. */
export class Writer {
  /**
   * The comments it created, in order, without those whose create request got no response, which may take effect much
   * later.
   */
  readonly made: Tracked[] = [];
  readonly #tracked: Tracked[] = [];
  readonly #model: Model;
  readonly #who: { readonly index: number; readonly token: string; readonly appIds: readonly number[] };
  readonly #random: Random;

  constructor(
    model: Model,
    who: { readonly index: number; readonly token: string; readonly appIds: readonly number[] },
    random: Random,
  ) {
    this.#model = model;
    this.#who = who;
    this.#random = random;
  }

  /** Writes until it is stopped, each time through one of the nodes, or of other ways to the server. */
  async write(ways: readonly Way[], isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const node = this.#random.draw(ways);
      const known = this.#random.pick(this.#tracked.slice(-20));
      const isSettled = known?.id !== undefined && known.possible.length === 1;
      const isAnswered = await (isSettled && this.#random.oneIn(3)
        ? this.#change(node, known)
        : this.#create(node));
      if (!isAnswered) await pause(50);
    }
  }

  async #create(node: Way): Promise<boolean> {
    const { index, appIds } = this.#who;
    const appId = this.#random.draw(appIds);
    const comment = this.#model.track('comment', `m${index}x${this.#tracked.length}`);
    this.#tracked.push(comment);
    const path = `/api/apps/${appId}/comments`;
    const isAnswered = await this.#send(node, comment, { method: 'POST', path, appId, version: 0 });
    if (isAnswered) this.made.push(comment);
    return isAnswered;
  }

  async #change(node: Way, comment: Tracked): Promise<boolean> {
    const { facts, events } = current(comment);
    // A request without a response may have created it or not.
    if (facts === undefined) return true;
    const path = `/api/comments/${comment.id}`;
    const appId = Number(facts['app_id']);
    return await this.#send(node, comment, { method: 'PATCH', path, appId, version: events.length });
  }

  async #send(
    node: Way,
    comment: Tracked,
    { method, path, appId, version }: { method: string; path: string; appId: number; version: number },
  ): Promise<boolean> {
    const text = `${comment.marker} v${version}`;
    const action = version === 0 ? 'comment_created' : 'comment_updated';
    return await this.#model.perform(node, {
      name: action,
      method,
      path,
      credential: this.#who.token,
      body: { text },
      status: version === 0 ? 201 : 200,
      effects: [{ object: comment, facts: { app_id: appId, text }, events: [`${action} ${text}`] }],
    });
  }
}
