import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from 'confab-testing/harness/random.ts';
import { Agent, type Dispatcher } from 'undici';

/** What the requests are about. */
export type Site = {
  readonly url: string;
  /** The credentials of people, and an API key for programs. */
  readonly tokens: readonly string[];
  readonly key: string;
  readonly appIds: readonly number[];
};

/** The requests of some time. */
export type Traffic = {
  sent: number;
  /** Due when every connection was waiting for an answer, and never sent. */
  unsent: number;
  /** Milliseconds of each request that was answered with 2xx. */
  readonly answeredMs: number[];
  /** The same of what people read. */
  readonly readMs: number[];
  /** Refused with 503, by API keys and by people. */
  readonly refused: { key: number; person: number };
  /** Without an answer in time. */
  lost: number;
  /** Answers that none of these requests should have, with their path. */
  readonly wrong: string[];
};

/** How long a client waits for an answer, in milliseconds. */
const patienceMs = 10_000;
/** From how many addresses the clients call: a server closes the idle connections of one that has many. */
const addresses = 50;
/** How often due requests are sent, in milliseconds. */
const beatMs = 10;
/** How many comments a client remembers to read and edit again. */
const rememberedMax = 5000;

type Drawn = { readonly method: 'GET' | 'POST' | 'PATCH'; readonly path: string; readonly body?: object };

/** Clients that send requests at a given rate, whether or not earlier ones have been answered. */
export class Clients {
  readonly #site: Site;
  readonly #random: Random;
  readonly #agents: readonly Agent[];
  readonly #connections: number;
  readonly #recent: { readonly id: number; readonly token: string }[] = [];
  /** The ids of all comments whose creation was answered. */
  readonly created: number[] = [];
  #count = 0;
  #turn = 0;

  constructor(site: Site, random: Random, connections: number) {
    this.#site = site;
    this.#random = random;
    this.#connections = connections;
    this.#agents = Array.from(
      { length: addresses },
      (_, n) =>
        new Agent({
          connections: Math.ceil(connections / addresses),
          pipelining: 1,
          headersTimeout: patienceMs,
          bodyTimeout: patienceMs,
          localAddress: `127.0.1.${n + 1}`,
        }),
    );
  }

  /** Sends `rate` requests a second for so long; of those, `ofKeys` in ten come from programs. Resolves once all ended. */
  async send({
    rate,
    seconds,
    ofKeys = 1,
  }: {
    rate: number;
    seconds: number;
    ofKeys?: number;
  }): Promise<Traffic> {
    const traffic = emptyTraffic();
    const running = new Set<Promise<void>>();
    const startedAt = performance.now();
    while (performance.now() - startedAt < seconds * 1000) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
      while (traffic.sent + traffic.unsent < due) {
        if (running.size >= this.#connections) {
          traffic.unsent += 1;
          continue;
        }
        traffic.sent += 1;
        const request = this.#request(traffic, this.#random.integer(1, 10) <= ofKeys);
        running.add(request);
        void request.finally(() => running.delete(request));
      }
      await pause(beatMs);
    }
    await Promise.all(running);
    return traffic;
  }

  /** Sends one request after the other on each of so many connections, which shows how much the server can do. */
  async saturate(connections: number, seconds: number): Promise<Traffic> {
    const traffic = emptyTraffic();
    const endsAt = performance.now() + seconds * 1000;
    const client = async () => {
      while (performance.now() < endsAt) {
        traffic.sent += 1;
        await this.#request(traffic, this.#random.oneIn(10));
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
    return traffic;
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.destroy()));
  }

  #nextAgent(): Agent {
    this.#turn = (this.#turn + 1) % addresses;
    const agent = this.#agents[this.#turn];
    if (agent === undefined) throw new RangeError('there is an agent for each address');
    return agent;
  }

  /** Of ten requests six read a page, one reads a comment, two create one and one edits one. */
  #draw(): Drawn & { readonly token: string } {
    const { appIds, tokens } = this.#site;
    const random = this.#random;
    const token = random.draw(tokens);
    const comments = `/api/apps/${random.pick(appIds)}/comments`;
    const known = random.pick(this.#recent);
    const place = random.integer(1, 10);
    this.#count += 1;
    const text = `What **${this.#count}** says of [a page](https://example.com/${this.#count}).`;
    if (place <= 6) return { method: 'GET', path: `${comments}?top=20`, token };
    if (place === 7 && known !== undefined)
      return { method: 'GET', path: `/api/comments/${known.id}`, token };
    if (place === 8 && known !== undefined)
      return { method: 'PATCH', path: `/api/comments/${known.id}`, body: { text }, token: known.token };
    return { method: 'POST', path: comments, body: { text }, token };
  }

  async #request(traffic: Traffic, isProgram: boolean): Promise<void> {
    const { method, path, body, token } = this.#draw();
    const isByKey = isProgram && method !== 'PATCH';
    const startedAt = performance.now();
    let answer: Dispatcher.ResponseData;
    let text: string;
    try {
      answer = await this.#nextAgent().request({
        origin: this.#site.url,
        method,
        path,
        headers: {
          authorization: `Bearer ${isByKey ? this.#site.key : token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await answer.body.text();
    } catch {
      traffic.lost += 1;
      return;
    }
    const ms = performance.now() - startedAt;
    const { statusCode: status } = answer;
    if (status === 503) traffic.refused[isByKey ? 'key' : 'person'] += 1;
    else if (status >= 300) traffic.wrong.push(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
    else {
      traffic.answeredMs.push(ms);
      if (method === 'GET' && !isByKey) traffic.readMs.push(ms);
      if (method === 'POST')
        this.#remember((JSON.parse(text) as { id: number }).id, isByKey ? undefined : token);
    }
  }

  #remember(id: number, token: string | undefined): void {
    this.created.push(id);
    if (token === undefined) return;
    this.#recent.push({ id, token });
    if (this.#recent.length > rememberedMax) this.#recent.shift();
  }
}

function emptyTraffic(): Traffic {
  return {
    sent: 0,
    unsent: 0,
    answeredMs: [],
    readMs: [],
    refused: { key: 0, person: 0 },
    lost: 0,
    wrong: [],
  };
}
