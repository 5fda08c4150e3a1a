import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestServer } from './server.ts';

/** What a program is shown of a call, as one text. */
export type Told = { readonly text: string; readonly isError: boolean };

/** The unmodified client of the protocol, connected to a server, and what it costs. */
export type Program = {
  readonly client: Client;
  /** Calls a tool and returns what a model would be shown. */
  call(name: string, given?: Record<string, unknown>): Promise<Told>;
  /** The bytes of the answers since the last time that they were asked for. */
  bytes(): number;
};

/** The revisions that the client speaks: the one of 2026, or those before, which begin with `initialize`. */
export type Era = 'modern' | 'legacy';

/** Connects a client. `send` replaces `fetch`, to choose a node. */
export async function connectProgram(
  { url }: Pick<TestServer, 'url'>,
  credential: string,
  {
    era = 'modern',
    headers = {},
    send = fetch,
  }: { era?: Era; headers?: Record<string, string>; send?: typeof fetch } = {},
): Promise<Program> {
  let received = 0;
  const counting: typeof fetch = async (address, init) => {
    const response = await send(address, init);
    const bytes = await response.bytes();
    received += bytes.length;
    return new Response(bytes.length === 0 ? null : bytes, response);
  };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${credential}`, ...headers } },
    fetch: counting,
  });
  const client = new Client(
    { name: 'confab-tests', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
  );
  await client.connect(transport);
  return {
    client,
    async call(name, given = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      return { text: content.map((part) => ('text' in part ? part.text : '')).join('\n'), isError };
    },
    bytes() {
      const all = received;
      received = 0;
      return all;
    },
  };
}
