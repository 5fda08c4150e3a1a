import type { Composed, Composer } from './composed.ts';
import { bytesMax, bytesOf } from './limit.ts';

/** What of a composed text is not in its field; undefined where that cannot be sent yet. */
type Rest = { readonly [name in 'more' | 'blobs']: Composed[name] | undefined } & Pick<Composed, 'place'>;

/** What a composer has to send. Where there is nothing, or not yet, it is undefined, and the composer shows why. */
export function composedOf(composer: Composer, { more, blobs, place }: Rest): Composed | undefined {
  const { text, comment, host } = composer;
  if (more === undefined) return undefined;
  if (blobs === undefined) composer.problem = host.t('uploading');
  else if (text.trim() === '' && blobs.length === 0) composer.field.focus();
  else if (bytesOf(text) > bytesMax) composer.problem = host.t('tooLong');
  else return { composer, place, comment, text, blobs, more };
  return undefined;
}
