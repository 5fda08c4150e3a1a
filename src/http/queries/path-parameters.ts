import type { Operation } from '../../contract/operation.ts';
import { parseId, parseRef } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';

/**
 * The parameters of a path, converted as the operation declares them: ids to numbers, references to an id or a uid.
 * Throws a 404 for a text that can name nothing.
 */
export function readParams(operation: Operation, raw: Record<string, string>): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(operation.params)) {
    const text = raw[name] ?? '';
    const value = kind === 'text' ? text : kind === 'id' ? parseId(text) : parseRef(text);
    if (value === undefined)
      throw notFound(name === 'id' ? (operation.path.split('/')[2] ?? 'object').replace(/s$/, '') : name);
    params[name] = value;
  }
  return params;
}
