/** An embed as stored. `content` has the fields that were fetched, rendered. */
export type EmbedRow = {
  readonly id: number;
  readonly originalUrl: string;
  readonly content: string;
  readonly createdAt: number;
  readonly createdById: number;
};

/** The columns of `EmbedRow`. */
export const embedColumns = [
  'id',
  'original_url as originalUrl',
  'content',
  'created_at as createdAt',
  'created_by_id as createdById',
] as const;
