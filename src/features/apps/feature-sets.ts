import type { Feature } from '../../contract/features.ts';
import { type Json, json } from '../../kernel/json.ts';
import { notFound } from '../../kernel/problem.ts';

/** What people can put into a text, of whatever kind. */
const texts: readonly Feature[] = [
  'attachments',
  'embeds',
  'meetings',
  'mentions',
  'polls',
  'previews',
  'reactions',
  'thumbnails',
];
/** What conversations have besides. */
const conversations: readonly Feature[] = [...texts, 'receipts', 'typing'];

/** What works in each kind of app, by the names that existing clients ask with; `feeds` is an app of posts. */
const featureSets: { readonly [name: string]: readonly Feature[] } = {
  chat: conversations,
  comments: texts,
  feeds: [...texts, 'comments'],
  files: [...texts, 'comments', 'versions'],
  messenger: conversations,
};

/** The features of a set; throws `not_found` for a set that there is none of. */
export function getFeatures(name: string): Json {
  const set = Object.hasOwn(featureSets, name) ? featureSets[name] : undefined;
  if (set === undefined) throw notFound('feature set');
  return json(JSON.stringify([...set].sort()));
}
