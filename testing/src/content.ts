import { makeBlob } from './fixtures.ts';
import type { Caller } from './server.ts';

/** A kind of content: the type of its apps, its noun in paths, and a body that changes it. */
export type ContentKind = { readonly type: string; readonly list: string; readonly edit: object };

/** The kinds of content by their name. */
export const contentKinds: { readonly [kind: string]: ContentKind } = {
  comment: { type: 'comments', list: 'comments', edit: { text: 'other words' } },
  post: { type: 'posts', list: 'posts', edit: { text: 'other words' } },
  message: { type: 'chat', list: 'messages', edit: { text: 'other words' } },
  file: { type: 'files', list: 'files', edit: { name: 'other-name.txt' } },
};

/** The kind of this name. Throws if there is none. */
export function contentKind(name: string): ContentKind {
  const kind = contentKinds[name];
  if (kind === undefined) throw new Error(`${name} is no kind of content`);
  return kind;
}

/** Creates something of a kind in an app. A file has its words as its name. */
export async function makeContent(
  by: Caller,
  app: number,
  { kind, words = 'some words' }: { readonly kind: string; readonly words?: string },
): Promise<{ readonly id: number; readonly path: string; readonly isHeld: boolean }> {
  const { list } = contentKind(kind);
  const fields = kind === 'file' ? { blob_id: await makeBlob(by), name: `${words}.txt` } : { text: words };
  const { id, is_held } = await by.create(`/api/apps/${app}/${list}` as '/api/apps/1/posts', fields);
  return { id, path: `/api/${list}/${id}`, isHeld: is_held === true };
}
