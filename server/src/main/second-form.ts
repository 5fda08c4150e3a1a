import type { Handler } from '../binding/handler.ts';
import { followUser, getUserInSecondForm, unfollowUser } from '../second-form/routes/users.ts';

/** The function of each operation of the second form. */
export const secondFormHandlers = [
  getUserInSecondForm,
  followUser,
  unfollowUser,
] satisfies readonly Handler<never>[];
