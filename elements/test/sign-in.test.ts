import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { type Puzzle, solve } from '../src/sign-in/puzzle.ts';
import { sha256 } from '../src/sign-in/sha256.ts';
import { inTurnByNote } from '../src/sign-in/turns.ts';

describe('SHA-256 of the elements', () => {
  it('is that of the standard, for every length around the blocks', () => {
    for (let length = 0; length <= 200; length += 1) {
      const message = randomBytes(length);
      assert.equal(
        Buffer.from(sha256(message)).toString('hex'),
        createHash('sha256').update(message).digest('hex'),
      );
    }
  });
});

describe('the puzzle of a guest', () => {
  const secret = 'a secret';
  const puzzle = async (keyPrefix: string, cost = 1) => {
    const made = await createChallenge({
      algorithm: 'SHA-256',
      cost,
      deriveKey,
      keyPrefix,
      hmacSignatureSecret: secret,
    });
    return made as Puzzle;
  };

  for (const [keyPrefix, cost] of [
    ['00', 1],
    ['000', 1],
    ['0', 3],
  ] as const)
    it(`is solved as the server wants it: ${keyPrefix}, ${cost} times`, async () => {
      const { challenge, solution } = await solve(
        await puzzle(keyPrefix, cost),
        new AbortController().signal,
      );
      const { invalidSignature, invalidSolution } = await verifySolution({
        challenge: challenge as Parameters<typeof verifySolution>[0]['challenge'],
        solution,
        deriveKey,
        hmacSignatureSecret: secret,
      });
      assert.deepEqual([invalidSignature, invalidSolution], [false, false]);
    });

  it('is given up when nobody wants it any more', async () => {
    const ending = new AbortController();
    const solving = solve(await puzzle('00000000000000'), ending.signal);
    ending.abort();
    await assert.rejects(solving, { name: 'AbortError' });
  });

  it('is not guessed at where it is of another kind', async () => {
    const other = await puzzle('00');
    const challenge = { ...other, parameters: { ...other.parameters, algorithm: 'SCRYPT' } };
    await assert.rejects(solve(challenge, new AbortController().signal), /SCRYPT/);
  });
});

describe('turns of tabs without locks', () => {
  /** The storage of a site, as several tabs see it. */
  function storage() {
    const notes = new Map<string, string>();
    return {
      getItem: (name: string) => notes.get(name) ?? null,
      setItem: (name: string, value: string) => void notes.set(name, value),
      removeItem: (name: string) => void notes.delete(name),
    };
  }

  it('are taken one after the other', async () => {
    const notes = storage();
    let running = 0;
    let most = 0;
    const task = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => inTurnByNote(notes, 'turn', task)));
    assert.equal(most, 1);
    assert.equal(notes.getItem('turn'), null);
  });

  it('go on after a tab that has gone, and where the clock was set back', async () => {
    for (const since of [Date.now() - 60_000, Date.now() + 3_600_000]) {
      const notes = storage();
      notes.setItem('turn', `another ${since}`);
      assert.equal(await inTurnByNote(notes, 'turn', async () => 'done'), 'done');
    }
  });

  it('end after a task that fails', async () => {
    const notes = storage();
    const failing = inTurnByNote(notes, 'turn', async () => await Promise.reject(new Error('no')));
    await assert.rejects(failing, /no/);
    assert.equal(notes.getItem('turn'), null);
  });

  it('are not waited for without storage', async () => {
    assert.equal(await inTurnByNote(undefined, 'turn', async () => 'done'), 'done');
  });
});
