import { sha256 } from './sha256.ts';

/**
 * Solves the puzzle of a guest (ALTCHA 2): finds a number with which the hash begins as it has to. A page of a strict
 * policy has no workers, so it is done in slices, between which the page draws and answers as before.
 */

/** A puzzle as the server gives it. */
export type Puzzle = {
  readonly parameters: {
    readonly algorithm: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    readonly nonce: string;
    readonly salt: string;
  };
  readonly signature: string;
};

/** A solved puzzle as the server takes it. */
export type SolvedPuzzle = {
  readonly challenge: Puzzle;
  readonly solution: { readonly counter: number; readonly derivedKey: string };
};

/** How long a slice takes, in milliseconds. */
const sliceMs = 10;
/** How many numbers are tried between two looks at the clock. */
const triesAtOnce = 200;

/** Solves a puzzle. Rejects with an `AbortError` when the signal says so, and for a puzzle of an unknown kind. */
export async function solve(challenge: Puzzle, signal: AbortSignal): Promise<SolvedPuzzle> {
  const { algorithm, cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
  if (algorithm !== 'SHA-256') throw new Error(`the puzzle is of a kind that is not known: ${algorithm}`);
  const message = Uint8Array.from(`${salt}${nonce}00000000`.match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  );
  const number = new DataView(message.buffer, message.length - 4);
  const prefix = (keyPrefix.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  const half = keyPrefix.length % 2 === 0 ? undefined : Number.parseInt(keyPrefix.slice(-1), 16);
  const isSolved = (hash: Uint8Array) =>
    prefix.every((byte, index) => hash[index] === byte) &&
    (half === undefined || (hash[prefix.length] ?? 0) >>> 4 === half);

  for (let counter = 0; counter < 2 ** 32; ) {
    const end = performance.now() + sliceMs;
    while (performance.now() < end)
      for (let tries = 0; tries < triesAtOnce; tries += 1, counter += 1) {
        number.setUint32(0, counter);
        let hash = sha256(message);
        for (let round = 1; round < cost; round += 1) hash = sha256(hash);
        if (!isSolved(hash)) continue;
        const derivedKey = Array.from(hash.subarray(0, keyLength), (byte) =>
          byte.toString(16).padStart(2, '0'),
        );
        return { challenge, solution: { counter, derivedKey: derivedKey.join('') } };
      }
    await letOthers();
    signal.throwIfAborted();
  }
  throw new Error('no number solves the puzzle');
}

/** Lets everything else that the page has to do go first. Timers would wait for a second in a page that is not shown. */
function letOthers(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const goOn = () => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', goOn);
    port1.start();
    port2.postMessage(undefined);
  });
}
