import type { TSchema } from 'typebox';
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
  const moved = {
    ...common,
    method: 'POST',
    effect: 'change',
    success: { 200: answers.detail },
    errors: [400, 401, 403, 404],
  } as const;
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
      errors: [401],
    },
    listedIn: { ...listed, effect: 'list', errors: [401, 404] },
    got: {
      ...common,
      method: 'GET',
      effect: 'read',
      query: TrashedQuery,
      success: { 200: answers.detail },
      errors: [401, 404],
    },
    updated: {
      ...written,
      method: 'PATCH',
      effect: 'change',
      summary: 'Changes the fields that are present; null clears one and an array replaces.',
      body: EntryPatch,
      success: { 200: answers.detail },
    },
    moved,
    deleted: { ...moved, method: 'DELETE', success: { 204: null } },
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
