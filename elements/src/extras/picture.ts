import type { Comment } from '../shared.ts';

/** A file that belongs to a comment. */
export type Attachment = Comment['attachments'][number];

/** A picture of which everything is known to show it. */
export type Picture = Attachment & {
  readonly width: number;
  readonly height: number;
  readonly thumbnail_url: string;
  /** Where it can be seen by itself. */
  readonly address: string | undefined;
};
