import type { AnswerItem } from 'confab-client';

/** The author of a comment. Visitors see no more of one; users also get what the server shows to users. */
export type Author = {
  readonly id: number;
  readonly display_name: string;
  readonly avatar_url?: string;
  readonly is_bot: boolean;
  readonly is_guest?: boolean;
  readonly is_moderator?: boolean;
};

/** A reaction: one for each emoji where a visitor reads, one for each user where a user does. */
export type ReactionCount = {
  readonly content: string;
  /** How many users reacted with it. */
  readonly count: number;
  /** Who reacted, where a user reads. */
  readonly created_by_id?: number;
  /** Whether the visitor who reads has reacted with it. */
  readonly is_own?: boolean;
};

/** A comment as the server lists it. */
export type Comment = Omit<AnswerItem, 'created_by' | 'reactions' | 'options'> & {
  readonly created_by?: Author;
  readonly reactions: readonly ReactionCount[];
  readonly options: readonly {
    readonly id: number;
    readonly text: string;
    readonly vote_count: number;
    readonly has_voted: boolean;
  }[];
  /** The first of its thread, where it began one. */
  readonly replies?: readonly Comment[];
};
