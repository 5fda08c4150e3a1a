import type { Operation } from 'confab-contract/operation.ts';
import { notFound } from 'confab-contract/problem.ts';
import { parseId, parseRef } from 'confab-contract/values/ids.ts';

const readers = { id: parseId, ref: parseRef, text: (text: string): string => text };

/**
 * Creates the reader of the parameters of a path, which converts them as the operation declares: ids to numbers,
 * references to an id or a uid. It throws a 404 for a text that can name nothing.
 */
export function paramsReader({
  params,
  path,
}: Operation): (raw: Record<string, string>) => Record<string, unknown> {
  const declared = Object.entries(params).map(([name, kind]) => ({
    name,
    read: readers[kind],
    noun: name === 'id' ? (path.split('/')[2] ?? 'object').replace(/s$/, '') : name,
  }));
  return (raw) => {
    const read: Record<string, unknown> = {};
    for (const one of declared) {
      const value = one.read(raw[one.name] ?? '');
      if (value === undefined) throw notFound(one.noun);
      read[one.name] = value;
    }
    return read;
  };
}
