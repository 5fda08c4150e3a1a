import { type Directory, findDirectory } from '../../access/directory/directory-access.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';

/** A directory as the contract defines it. */
export function renderDirectory({ id, name }: Directory): Json {
  return json(`{"id":${id},"name":${jsonString(name)}}`);
}

/** The directory with this id, rendered, or undefined when there is none. */
export async function renderedDirectory(read: Read, id: number): Promise<Json | undefined> {
  const directory = await findDirectory(read, { id });
  return directory === undefined ? undefined : renderDirectory(directory);
}
