import { type Feature, featureOperations } from 'confab-contract/features.ts';
import { notFound } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { type ConfirmedOrder, isReferenceClient } from '../../kernel/reference-client.ts';

/** A feature set names what a client can offer its users in one kind of app. */

/** The things that users can put into a text of any kind. */
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
/** The features of conversations. */
const conversations: readonly Feature[] = [...texts, 'receipts', 'typing'];

/** The features of each kind of app, by the names that existing clients use; `feeds` is an app of posts. */
const featureSets: { readonly [name: string]: readonly Feature[] } = {
  chat: conversations,
  comments: texts,
  feeds: [...texts, 'comments'],
  files: [...texts, 'comments', 'versions'],
  messenger: conversations,
};

/** The features of a set, sorted by name; throws `not_found` for an unknown set. */
export const getFeatures = handler(
  featureOperations.getFeatures,
  async ({ caller, params, raw }, { order }: { order: Pick<ConfirmedOrder, 'featuresSent'> }) => {
    const set = Object.hasOwn(featureSets, params.set) ? featureSets[params.set] : undefined;
    if (set === undefined) throw notFound('feature set');
    if (isReferenceClient(raw.headers['x-weavy-source'])) await order.featuresSent(caller.user.id);
    return json(JSON.stringify([...set].sort()));
  },
);
