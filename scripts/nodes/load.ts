import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../harness/random.ts';
import type { Node } from './client.ts';

/**
 * Clients that write comments through both nodes and remember what they were told. Each changes its own comments only,
 * one request at a time; a comment with a request that got no answer is changed no more, because that request can still
 * arrive, and is in one of two states until somebody looks.
 */

/** A comment that a client made, or tried to. `possible` has the numbers of the versions it can be in; -1 is nowhere. */
export type Tracked = {
  readonly marker: string;
  readonly client: number;
  readonly appId: number;
  id: number | undefined;
  /** Whether it was made before the client went on: without an answer it can have been made much later. */
  isAnswered: boolean;
  possible: number[];
};

/** The text of a version. */
export function textOf(marker: string, version: number): string {
  return `${marker} v${version}`;
}

/** How often clients were answered, and how long the slowest answer to a write took. */
export type Counts = { acknowledged: number; unknown: number; refused: number; slowestMs: number };

/** One client. */
export class Client {
  readonly tracked: Tracked[] = [];
  readonly #index: number;
  readonly #token: string;
  readonly #appIds: readonly number[];
  readonly #random: Random;
  readonly #counts: Counts;

  constructor(options: {
    index: number;
    token: string;
    appIds: readonly number[];
    random: Random;
    counts: Counts;
  }) {
    this.#index = options.index;
    this.#token = options.token;
    this.#appIds = options.appIds;
    this.#random = options.random;
    this.#counts = options.counts;
  }

  /** Writes through both nodes until told to stop. */
  async write(pair: readonly [Node, Node], isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const node = pair[this.#random.integer(0, 1)] ?? pair[0];
      const known = this.#random.pick(this.tracked.slice(-20));
      const isChange = known?.id !== undefined && known.possible.length === 1 && this.#random.oneIn(3);
      const isAnswered = await (isChange ? this.#change(node, known) : this.#create(node));
      if (!isAnswered) await pause(50);
    }
  }

  async #create(node: Node): Promise<boolean> {
    const appId = this.#random.pick(this.#appIds) ?? 0;
    const marker = `m${this.#index}x${this.tracked.length}`;
    const comment: Tracked = {
      marker,
      client: this.#index,
      appId,
      id: undefined,
      isAnswered: false,
      possible: [-1, 0],
    };
    this.tracked.push(comment);
    return await this.#send(node, comment, {
      method: 'POST',
      path: `/api/apps/${appId}/comments`,
      version: 0,
    });
  }

  async #change(node: Node, comment: Tracked): Promise<boolean> {
    const version = (comment.possible[0] ?? 0) + 1;
    comment.possible.push(version);
    return await this.#send(node, comment, { method: 'PATCH', path: `/api/comments/${comment.id}`, version });
  }

  async #send(
    node: Node,
    comment: Tracked,
    { method, path, version }: { method: string; path: string; version: number },
  ): Promise<boolean> {
    const startedAt = performance.now();
    const answer = await node.send(method, path, this.#token, { text: textOf(comment.marker, version) });
    if (answer.kind === 'unknown') {
      this.#counts.unknown += 1;
      return false;
    }
    if (answer.status >= 300) {
      this.#counts.refused += 1;
      comment.possible.pop();
      return true;
    }
    this.#counts.acknowledged += 1;
    this.#counts.slowestMs = Math.max(this.#counts.slowestMs, performance.now() - startedAt);
    if (version === 0) comment.isAnswered = true;
    comment.id = Number(answer.body.id);
    comment.possible = [version];
    return true;
  }
}
