import { type Action, factsOf } from 'confab-contract/actions.ts';
import { Actor } from 'confab-contract/users.ts';
import { aboutOf, deliveredActions } from 'confab-contract/webhook-events.ts';
import Type, { type TSchema } from 'typebox';
import { json } from '../src/kernel/json.ts';
import { actionInSecondForm, eventInSecondForm } from '../src/second-form/live/event.ts';

type Fields = { readonly [name: string]: unknown };

/** An event of a live connection in both forms, as an example. */
export type EventInBothForms = {
  readonly action: Action;
  readonly second: string;
  readonly inFirst: Fields;
  readonly inSecond: Fields;
};

/** A schema as far as its examples are made from it. */
type Described = {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: { readonly [name: string]: TSchema };
  readonly required?: readonly string[];
};

/** How deep a schema is followed: an app has members, which are users. */
const deepest = 5;

/** Whether an example has every property that its schema allows, or only those that are never absent. */
type Extent = 'whole' | 'least';

/** A value that a schema allows, with one element in each list. */
function exampleOf(schema: TSchema, extent: Extent, depth = 0): unknown {
  const { type, anyOf, items, minimum = 1, ...own } = schema as Described;
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0], extent, depth);
  if (type === 'array')
    return items === undefined || depth > deepest ? [] : [exampleOf(items, extent, depth + 1)];
  if (type === 'object') return depth > deepest ? {} : fieldsOf(own, extent, depth + 1);
  if (own.examples?.[0] !== undefined) return own.examples[0];
  if (type === 'boolean') return false;
  return type === 'string' ? '2026-01-02T03:04:05.678Z' : minimum;
}

function fieldsOf({ properties = {}, required = [] }: Described, extent: Extent, depth: number): Fields {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => extent === 'whole' || required.includes(name))
      .map(([name, property]) => [name, exampleOf(property, extent, depth)]),
  );
}

/** Every event that live connections can hear, in both forms. */
export function eventsInBothForms(extent: Extent): readonly EventInBothForms[] {
  const facts = { type: 'activity', quote: '', metadata: null, tags: null } as const;
  return deliveredActions
    .filter((action) => factsOf(action).group !== undefined)
    .map((action) => {
      const about = Type.Object({ actor: Actor, ...aboutOf(action) });
      const inFirst = { id: 1, action, ...(exampleOf(about, extent) as Fields) };
      const inSecond = JSON.parse(eventInSecondForm(json(JSON.stringify(inFirst)), { appId: 1, facts }));
      return { action, second: actionInSecondForm(action), inFirst, inSecond };
    });
}
