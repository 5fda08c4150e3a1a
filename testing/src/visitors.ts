import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Puzzle, SolvedPuzzle } from 'confab-contract/signing-in.ts';
import type { Caller } from './server.ts';

/** Solves a puzzle as a browser does. */
export async function solve(puzzle: Puzzle): Promise<SolvedPuzzle> {
  const solution = await solveChallenge({ challenge: puzzle, deriveKey });
  assert.ok(solution);
  return { challenge: puzzle, solution };
}

let guests = 0;

/** A name that no other guest of this process has. Its letters look like no others. */
export function freshName(): string {
  guests += 1;
  return `Guest ${String(guests).replaceAll(/\d/g, (digit) => 'abcdefghkp'.charAt(Number(digit)))}`;
}

/** Signs a guest in where no puzzle is asked for, and returns what they get. */
export async function signInGuest(by: Caller, name = freshName()) {
  const { status, body, text } = await by.call('POST', '/api/sign-in/guest', { name }, { as: null });
  assert.equal(status, 200, text);
  return body;
}

/** The verifier of a page with its challenge (RFC 7636). */
export function newVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
