import { Pool } from 'undici';
import { factsOf } from './facts.ts';
import { isSame, type Model, type Operation } from './model.ts';

/** What is counted over a whole run. */
export type Tally = { acknowledged: number; refused: number; unknown: number };

/** One answer of the server. */
export type Reply = { readonly status: number; readonly body: { readonly [name: string]: unknown } };

/** The connections of the clients to one server process. */
export class Connection {
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1, bodyTimeout: 20_000, headersTimeout: 20_000 });
  }

  /** Sends one request; throws when there is no whole answer. */
  async send(
    method: string,
    path: string,
    credential: string,
    sent: { body?: unknown; upload?: { name: string; text: string } } = {},
  ): Promise<Reply> {
    const headers: Record<string, string> = { authorization: `Bearer ${credential}` };
    let body: string | undefined;
    if (sent.upload !== undefined) {
      const boundary = 'confab-crash-boundary';
      headers['content-type'] = `multipart/form-data; boundary=${boundary}`;
      body =
        `--${boundary}\r\ncontent-disposition: form-data; name="blob"; filename="${sent.upload.name}"\r\n` +
        `content-type: text/plain\r\n\r\n${sent.upload.text}\r\n--${boundary}--\r\n`;
    } else if (sent.body !== undefined) {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(sent.body);
    }
    const answer = await this.#pool.request({
      method: method as 'GET',
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === '' ? {} : JSON.parse(text) };
  }

  /** Drops what is still under way. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /**
   * Sends an operation and notes in the model what came of it. Answers false when there was no answer, or one that
   * says nothing about what happened.
   */
  async perform(model: Model, tally: Tally, operation: Operation): Promise<boolean> {
    model.attempt(operation.effects);
    let reply: Reply;
    try {
      reply = await this.send(operation.method, operation.path, operation.credential, operation);
    } catch {
      tally.unknown += 1;
      return false;
    }
    if (reply.status === 503) {
      tally.unknown += 1;
      return false;
    }
    const isExpected = reply.status === operation.status;
    if (!isExpected)
      model.violate(
        'answer',
        `${operation.name} ${operation.method} ${operation.path} answered ${reply.status}, not ` +
          `${operation.status}: ${JSON.stringify(reply.body)}`,
      );
    const hasHappened = reply.status < 300;
    model.resolve(operation.effects, hasHappened);
    if (hasHappened) tally.acknowledged += 1;
    else tally.refused += 1;
    if (hasHappened && isExpected) this.#compare(model, operation, reply);
    return true;
  }

  /** The answer to a write shows what was written. */
  #compare(model: Model, operation: Operation, { body }: Reply): void {
    const [effect] = operation.effects;
    if (effect === undefined || body.id === undefined || operation.answersOther === true) return;
    const { object, facts } = effect;
    model.learnId(object, body.id as number);
    model.learnOptions(object, body.options);
    const shown = factsOf[object.kind](body);
    if (facts !== undefined && !isSame(shown, facts))
      model.violate(
        'answer',
        `${operation.name} of ${object.marker} answered ${JSON.stringify(shown)}, not ${JSON.stringify(facts)}`,
      );
  }
}
