import type { Operation } from 'confab-contract/operation.ts';
import {
  locationOf,
  tagKindOf,
  takesIfNoneMatch,
  takesReturnMinimal,
} from 'confab-contract/representations.ts';
import { isMinimal, isStrict } from '../queries/prefer.ts';
import type { HttpRequest } from '../request.ts';
import type { Answer } from './answer.ts';
import { bodyTag, hasCopy, versionTag } from './entity-tags.ts';

/**
 * Gives the answers of an operation their `ETag` and their `Location`, and leaves out a body that the client has
 * (`If-None-Match`) or does not want (`Prefer: return=minimal`). Throws `invalid_entity_tag`.
 */
export function representationsOf(
  operation: Operation,
  publicUrl: () => string,
): (request: HttpRequest, answer: Answer) => Answer {
  const location = locationOf(operation);
  const isRead = takesIfNoneMatch(operation);
  const canBeMinimal = takesReturnMinimal(operation);
  if (!isRead && !canBeMinimal) return (_request, answer) => answer;
  return (request, answer) => {
    const { status, body } = answer;
    if (typeof body !== 'string') return answer;
    const headers: { [name: string]: string | number } = { ...answer.headers };
    const kind = tagKindOf(operation, status);
    const tag = kind === 'version' ? versionTag(body) : kind === 'body' ? bodyTag(body) : undefined;
    if (tag !== undefined) headers.etag = `"${tag}"`;
    if (isRead && tag !== undefined && hasCopy(request, tag)) return { status: 304, headers };
    if (status === 201 && location !== undefined)
      headers.location = publicUrl() + location.replace('{id}', idOf(body));
    if (!canBeMinimal || !isMinimal(request.headers)) return { status, headers, body };
    const others = isStrict(request.headers) ? 'handling=strict, ' : '';
    headers['preference-applied'] = `${others}return=minimal`;
    return { status: status === 201 ? 201 : 204, headers };
  };
}

/** The id of what an operation has created, which its JSON begins with. */
function idOf(body: string): string {
  return /^\{"id":(\d+)/.exec(body)?.[1] ?? '';
}
