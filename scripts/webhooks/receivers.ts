import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Said } from './receiver-process.ts';

/** Receivers in a process of their own. */
export type Receivers = {
  /** Where they answer at once, and where they never do. */
  readonly urls: readonly string[];
  readonly deadUrls: readonly string[];
  /** What was received so far; `all` takes the receipts away, `clear` forgets everything and keeps only counts from then on. */
  ask(what: 'count' | 'all' | 'clear'): Promise<Extract<Said, { count: number }>>;
  stop(): void;
};

/** Starts as many as are asked for. */
export async function startReceivers(answering: number, dead: number): Promise<Receivers> {
  const child = fork(join(import.meta.dirname, 'receiver-process.ts'), [String(answering), String(dead)]);
  const said = (): Promise<Said> =>
    new Promise((resolve) => child.once('message', (said) => resolve(said as Said)));
  const first = await said();
  if (!('ports' in first)) throw new Error('the receivers did not say where they listen');
  const urlOf = (port: number): string => `http://127.0.0.1:${port}/`;
  return {
    urls: first.ports.map(urlOf),
    deadUrls: first.deadPorts.map(urlOf),
    async ask(what) {
      const answer = said();
      child.send({ ask: what });
      const counted = await answer;
      if (!('count' in counted)) throw new Error('the receivers did not say what they have received');
      return counted;
    },
    stop: () => void child.kill(),
  };
}
