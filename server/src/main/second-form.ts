import type { Handler } from '../binding/handler.ts';
import { getConfiguration } from '../second-form/routes/configuration.ts';
import { listAppFilesInSecondForm, listFileVersionsInSecondForm } from '../second-form/routes/files.ts';
import { listAppPostsInSecondForm, listPostsInSecondForm } from '../second-form/routes/posts.ts';
import { followUser, getUserInSecondForm, unfollowUser } from '../second-form/routes/users.ts';

/** The function of each operation of the second form. */
export const secondFormHandlers = [
  getUserInSecondForm,
  followUser,
  unfollowUser,
  getConfiguration,
  listPostsInSecondForm,
  listAppPostsInSecondForm,
  listAppFilesInSecondForm,
  listFileVersionsInSecondForm,
] satisfies readonly Handler<never>[];
