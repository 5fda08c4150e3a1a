import { getOption } from './features/options/get.ts';
import { listVoters } from './features/options/list.ts';
import { voteOption } from './features/options/vote.ts';
import { addCommentReaction, addMessageReaction, addPostReaction } from './features/reactions/add.ts';
import { deleteReaction } from './features/reactions/delete.ts';
import { getReaction } from './features/reactions/get.ts';
import { listCommentReactions, listMessageReactions, listPostReactions } from './features/reactions/list.ts';
import {
  removeCommentReaction,
  removeMessageReaction,
  removePostReaction,
} from './features/reactions/remove.ts';

import { listStars } from './features/stars/list.ts';
import { starApp, unstarApp } from './features/stars/star.ts';

/** The function of each operation. */
export const handlers = [
  addCommentReaction,
  addMessageReaction,
  addPostReaction,
  deleteReaction,
  getOption,
  getReaction,
  listCommentReactions,
  listMessageReactions,
  listPostReactions,
  listVoters,
  removeCommentReaction,
  removeMessageReaction,
  removePostReaction,
  listStars,
  starApp,
  unstarApp,
  voteOption,
];
