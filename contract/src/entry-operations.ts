import Type, { type TSchema } from 'typebox';
import { getting } from './common-operations.ts';
import { EntryCreate, EntryPatch, entryList } from './entries.ts';
import { TrashedQuery } from './fields.ts';
import { FileList, fileList } from './files.ts';

/**
 * What the operations on comments, posts and messages have in common: everything but their ids, paths, texts and
 * targets.
 */
export function entryOperations<D extends TSchema, L extends TSchema>(answers: {
  readonly detail: D;
  readonly list: L;
}) {
  const common = { caller: 'any' } as const;
  const written = { ...common, errors: [400, 401, 403, 404, 422], problems: ['text_refused'] } as const;
  const listed = { ...common, method: 'GET', list: entryList, success: { 200: answers.list } } as const;
  return {
    created: {
      ...written,
      method: 'POST',
      effect: 'add',
      body: EntryCreate,
      success: { 201: answers.detail },
    },
    listed: {
      ...listed,
      list: { ...entryList, isSparse: true },
      on: 'visible',
      effect: 'read',
      query: Type.Object({
        author_id: Type.Optional(Type.Integer({ description: 'The id of its author.' })),
      }),
      errors: [401],
    },
    listedIn: { ...listed, effect: 'list', errors: [401, 404] },
    got: { ...getting(answers.detail), query: TrashedQuery },
    updated: {
      ...written,
      method: 'PATCH',
      effect: 'change',
      concurrentBy: 'item',
      summary: 'Changes the fields that are present; null clears one and an array replaces.',
      description:
        'Where a new item by the caller would be held, the edit holds the item: `is_held` is true in the answer.',
      body: EntryPatch,
      success: { 200: answers.detail },
    },
    attachments: {
      ...common,
      method: 'GET',
      effect: 'list',
      list: fileList,
      success: { 200: FileList },
      errors: [401, 404],
    },
  } as const;
}
