import { nameOf, resolved, type Schema } from './schemas.ts';

/**
 * Example responses, derived from the schemas so that every operation has one and none contradicts the contract. The
 * value of a property is, in this order: the value listed here under `Object.property`, the example of its schema, the
 * value listed here under `property`, or the simplest value that its schema allows.
 */
const values: { readonly [property: string]: unknown } = {
  'App.display_name': 'Product 42',
  'App.name': 'Product 42',
  'App.type': 'comments',
  'App.tags': ['spring'],
  'App.permissions': ['list', 'read', 'create'],
  'Comment.tags': ['review'],
  'Option.text': 'Yes',
  'Parent.type': 'app',
  'Webhook.payload_url': 'https://example.com/hooks/confab',
  'Webhook.triggers': ['comments'],
  'Delivery.action': 'comment_created',
  'Conversation.display_name': 'Lunch',
  'Conversation.name': 'Lunch',
  'Conversation.type': 'chat_room',
  'Conversation.uid': 'lunch',
  'Delivery.delivered_at': '2026-11-21T07:42:00.250Z',
  'Delivery.status': 'delivered',
  'Directory.name': 'acme',
  'DoctorFinding.is_fixable': true,
  'DoctorFinding.level': 'error',
  'DoctorFinding.mend': 'Run "confab doctor --fix".',
  'DoctorFinding.what': '1 stored count differs from the rows: comment of app 3 says 8 for 1.',
  'DoctorFixed.check': 'counts',
  'DoctorFixed.what': 'Counted 1 again.',
  'DoctorRun.is_healthy': false,
  'DoctorRun.state': 'done',
  'Erasure.content': 'remove',
  'ErasureCounts.comments': 12,
  'ErasureCounts.reactions': 3,
  'ErasureCounts.tags': 0,
  'ImportMade.comments': 26,
  'ImportPlanned.comments': 26,
  'ImportUndone.comments': 0,
  access: 'write',
  access_token: 'wyu_0123456789ABCDEFGHIJKLMNOPQRSTUV3mjk7s',
  app_id: 3,
  attachments: [],
  comments: [],
  content: '👍',
  count: 1,
  created_by_id: 2,
  display_name: 'Ada Lovelace',
  duration: 0.041,
  end: 1,
  event_id: 120,
  expires_in: 3600,
  guid: '5f0c2a9e-8f37-4c1f-9d3b-2f8f2c9a7e10',
  html: '<p>Ready for <strong>review</strong></p>',
  id: 17,
  is_enabled: true,
  media_type: 'image/png',
  name: 'Ada Lovelace',
  options: [],
  plain: 'Ready for review',
  reactions: [],
  start: 1,
  status_code: 204,
  tags: [],
  text: 'Ready for **review**',
  voters: [],
};

/** Optional properties that examples include. */
const fieldNames = new Set([
  'count',
  'data',
  'delivered_at',
  'duration',
  'end',
  'html',
  'name',
  'plain',
  'start',
  'status_code',
  'text',
]);

/** An example of what the schema describes. */
export function exampleOf(schema: Schema, named: { readonly [name: string]: Schema }): unknown {
  const owner = (nameOf(schema) ?? '').replace(/InFirstForm$/, '').replace(/Item$/, '');
  const target = resolved(schema, named);
  const { type, properties, items } = target;
  const [first] = (target.anyOf ?? []) as readonly Schema[];
  if (type === undefined && first !== undefined) return exampleOf(first, named);
  if (type === 'array') return [exampleOf((items ?? {}) as Schema, named)];
  if (type !== 'object') return plainValue(target);
  const required = (target.required ?? []) as readonly string[];
  return Object.fromEntries(
    Object.entries((properties ?? {}) as { readonly [name: string]: Schema })
      .filter(([name]) => required.includes(name) || fieldNames.has(name))
      .map(([name, property]) => [
        name,
        values[`${owner}.${name}`] ??
          (property.examples as readonly unknown[] | undefined)?.[0] ??
          valueFor(name, property) ??
          exampleOf(property, named),
      ]),
  );
}

/** The value listed under the name of a property. A list of the second form is an object with its count. */
function valueFor(name: string, { type }: Schema): unknown {
  return type === 'object' && Array.isArray(values[name]) ? undefined : values[name];
}

function plainValue(schema: Schema): unknown {
  const examples = schema.examples as readonly unknown[] | undefined;
  const choices = schema.enum as readonly unknown[] | undefined;
  const known = schema.const ?? examples?.[0] ?? choices?.[0];
  if (known !== undefined) return known;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  return type === 'boolean' ? false : 'text';
}
