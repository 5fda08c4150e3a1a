import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { use } from '../server.ts';

/** A key pair of a provider, with the header that its tokens have. */
export type Signer = {
  readonly header: JWTHeaderParameters;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
};

/** An identity provider on loopback that publishes its keys, or misbehaves. */
export type Provider = {
  /** The address of its keys. */
  readonly url: string;
  readonly state: {
    /** The keys that it publishes. */
    keys: readonly JWK[];
    /** Answers in place of the keys. */
    misbehave?: ((response: ServerResponse) => void) | undefined;
    /** How often its keys were asked for. */
    asked: number;
  };
  close(): Promise<void>;
};

let kids = 0;

/** Makes a key pair with a key id of its own. */
export async function makeSigner(alg = 'ES256'): Promise<Signer> {
  kids += 1;
  const kid = `key-${kids}`;
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { header: { alg, kid }, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** Signs claims; `header` adds to the header of the signer. */
export async function sign(
  { header, privateKey }: Pick<Signer, 'header' | 'privateKey'>,
  claims: JWTPayload,
  more: object = {},
): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ ...header, ...more }).sign(privateKey);
}

async function startProvider(): Promise<Provider> {
  const state: Provider['state'] = { keys: [], asked: 0 };
  const server = createServer((_request, response) => {
    state.asked += 1;
    if (state.misbehave !== undefined) return state.misbehave(response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: state.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    state,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A provider for the tests of the file or of the `describe` it stands in. */
export function useProvider(): Provider {
  const provider = use(startProvider);
  after(() => provider.close());
  return provider;
}
