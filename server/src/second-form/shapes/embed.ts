import { type Json, json } from '../../kernel/json.ts';

/** What the second form shows of an embed. */

/** The facts that it is made of: `content` is the stored JSON, and `actions` a JSON array. */
export type EmbedFacts = { readonly content: string; readonly url: string; readonly actions: string | null };

type Stored = {
  readonly url?: string;
  readonly width?: number;
  readonly height?: number;
  readonly thumbnail_url?: string;
  readonly thumbnail_width?: number;
  readonly thumbnail_height?: number;
};

/**
 * The fields of an embed besides those of its row. Its address is `url`, which in the first form is that of a picture; and
 * where it has a picture, there is an `image`.
 */
export function embedFields({ content, url, actions }: EmbedFacts): Json {
  const { url: picture, ...stored } = JSON.parse(content) as Stored;
  const isPhoto = stored.thumbnail_url === undefined;
  const address = stored.thumbnail_url ?? picture;
  const [width, height] = isPhoto
    ? [stored.width, stored.height]
    : [stored.thumbnail_width, stored.thumbnail_height];
  const image =
    address === undefined ? {} : { thumbnail_url: address, image: { url: address, width, height } };
  const fields = {
    ...stored,
    ...(url === '' ? {} : { url }),
    ...image,
    actions: JSON.parse(actions ?? '[]'),
  };
  return json(JSON.stringify(fields).slice(1, -1));
}
