import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program that judges texts, for tests. */
export type HookOfTests = {
  readonly url: string;
  readonly requests: { readonly headers: Record<string, string>; readonly body: string }[];
  /** Sets the answer to every request; `nothing` leaves requests open. */
  answer(value: object | string): void;
  close(): void;
};

/** Starts a hook that answers requests with what is set. */
export async function startHook(): Promise<HookOfTests> {
  const requests: HookOfTests['requests'] = [];
  let answer = '{"action":"allow"}';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    if (answer !== 'nothing') response.end(answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    answer(value) {
      answer = typeof value === 'string' ? value : JSON.stringify(value);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
