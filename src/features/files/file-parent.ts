import type { Read } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { fileAccess } from '../access/file-access.ts';

/** A file as the parent of comments, for features that do not declare what they act on. */
export const fileParent = {
  /** Throws `not_found` or `write_forbidden`. */
  async writable(read: Read, caller: Principal, id: number) {
    const { app } = await fileAccess.write({ read, caller, ref: { id }, isTrashedIncluded: false });
    return { app, parentType: 'file', parentId: id } as const;
  },

  /** Throws `not_found` unless the caller may see the file. */
  async readable(read: Read, caller: Principal, id: number): Promise<void> {
    await fileAccess.read({ read, caller, ref: { id }, isTrashedIncluded: false });
  },
};
