import type { Readable } from 'node:stream';
import type { Json } from '../../kernel/json.ts';
import type { LiveBody } from '../../kernel/live-body.ts';

/** A response other than a JSON body with the operation's only success status. */
export type Answer = {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string | number };
  readonly body?: Json | Buffer | string | Readable | LiveBody;
};
