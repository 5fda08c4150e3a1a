import type { createClient } from '../index.js';

/** Where to walk, with what. */
export type Walk = {
  readonly createClient: typeof createClient;
  readonly url: string;
  readonly key: string;
  /** The address of a web page that can be embedded. */
  readonly article: string;
  /** The address of a receiver of webhooks. */
  readonly receiver: string;
  /** The uids of the walk begin with it. */
  readonly name: string;
};

/** What a walk has shown: the operations that succeeded, an export, the progress of an upload up to 1, the title of the embed. */
export function walk(options: Walk): Promise<{
  called: string[];
  archive: string;
  progress: number[];
  embedTitle?: string;
}>;
