import type { Json } from '../../kernel/json.ts';
import type { PageAnswer } from '../../kernel/page.ts';
import type { Answer } from './answer.ts';

/** Whether what an operation has returned is a page of a list. */
export function isPage(value: Json | PageAnswer | Answer | undefined): value is PageAnswer {
  return typeof value === 'object' && 'next' in value;
}

/** The header field `Allow` of a list that says whether it takes new items of the caller, once they have signed in. */
export function allowOfList(value: Json | PageAnswer | Answer | undefined): string | undefined {
  if (!isPage(value) || value.isWritable === undefined) return undefined;
  return value.isWritable ? 'GET, HEAD, POST' : 'GET, HEAD';
}
