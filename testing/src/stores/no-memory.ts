import { Memory } from 'confab-server/src/db/memory.ts';

/** A memory that remembers nothing. */
export class NoMemory extends Memory {
  override get<P, R>(_query: unknown, _parameters: P, read: () => R | undefined): R | undefined {
    return read();
  }
}
