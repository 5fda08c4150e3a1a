import { operationList } from 'confab-contract/index.ts';
import {
  type ListSpec,
  type Operation,
  type ParamKind,
  takesIdempotencyKey,
} from 'confab-contract/operation.ts';
import { type Shape, Shapes, type WireSchema } from './shapes.ts';

/** A query parameter of a method. */
export type Parameter = {
  readonly name: string;
  readonly shape: Shape;
  /** The least value of a number. */
  readonly minimum: number | undefined;
  /** Whether several values are one text with commas; otherwise each is a parameter of its own. */
  readonly isJoined: boolean;
  readonly description: string | undefined;
};

/** An operation as a method of a client. */
export type Method = {
  readonly id: string;
  readonly verb: Operation['method'];
  readonly path: string;
  /** One sentence, which begins with a verb. */
  readonly summary: string;
  readonly params: { readonly [name: string]: ParamKind };
  readonly body: { readonly shape: Shape; readonly isRequired: boolean } | undefined;
  readonly query: readonly Parameter[];
  /** Whether its query is that of any list. */
  readonly hasListQueryOnly: boolean;
  readonly orders: readonly string[];
  readonly expands: readonly string[];
  readonly takesKey: boolean;
  /** `page`: a list, whose items have the shape; `bytes`: a file to download; `nothing`: an empty body. */
  readonly answer:
    | { readonly kind: 'page' | 'value'; readonly shape: Shape }
    | { readonly kind: 'bytes' | 'nothing' };
  readonly takesFile: boolean;
};

/** Everything that a library is made from. */
export type Model = { readonly methods: readonly Method[]; readonly shapes: Shapes };

/**
 * The operations without a method: they stream events or speak the protocol of live connections, for which there are
 * libraries of SignalR.
 */
export function isStreamed({ media, path }: Operation): boolean {
  return media === 'text/event-stream' || path.startsWith('/hubs/');
}

/** What every list takes, with the sentences of the reference in short. */
const ofLists: readonly Parameter[] = (
  [
    [
      'q',
      { type: 'string' },
      'Words that items contain, as beginnings of words; words in double quotes are a phrase.',
    ],
    ['tag', { type: 'string' }, 'A tag that items have.'],
    [
      'trashed',
      { enum: ['true', 'false', 'null'] },
      'Whether items in the trash are listed instead of the others; null lists both.',
    ],
    ['top', { type: 'integer', minimum: 1 }, 'The most items of a page, 1 to 100; 25 when absent.'],
    ['skip', { type: 'integer', minimum: 0 }, 'How many items to leave out; `after` is faster.'],
    ['after', { type: 'string' }, 'The cursor of a page, as the `Link` header of the page before has it.'],
    ['count', { type: 'boolean' }, 'False leaves the count out.'],
  ] as const
).map(([name, schema, description]) => parameterOf(name, { ...schema, description }));

function parameterOf(name: string, schema: WireSchema): Parameter {
  return {
    name,
    shape: new Shapes().of(schema, { name, isSent: true }),
    minimum: schema.minimum,
    isJoined: schema.type === 'array' && schema.items?.format === undefined,
    description: schema.description,
  };
}

function listParameters({ orderBy, expand }: ListSpec): readonly Parameter[] {
  const orders = orderBy.flatMap((field) => [field, `${field} desc`]);
  const order = parameterOf('order_by', {
    enum: orders,
    description: 'A field, and ` desc` for descending.',
  });
  const expands = parameterOf('expand', {
    type: 'array',
    items: { type: 'string', enum: expand },
    description: 'Objects that each item carries besides its flat fields.',
  });
  return [...ofLists, order, ...(expand.length === 0 ? [] : [expands])];
}

function answerOf(shapes: Shapes, { id, list, media, success }: Operation): Method['answer'] {
  if (media !== undefined) return { kind: 'bytes' };
  const schema = Object.values(success).find((one) => one !== null) as WireSchema | undefined;
  if (schema === undefined) return { kind: 'nothing' };
  const use = { name: id, isSent: false };
  if (list === undefined) return { kind: 'value', shape: shapes.of(schema, use) };
  const items = schema.properties?.data?.items;
  if (items === undefined) throw new Error(`the list ${id} has no items`);
  return { kind: 'page', shape: shapes.of(items, use) };
}

function bodyOf(shapes: Shapes, { id, method, body, neverNull = [] }: Operation): Method['body'] {
  if (body === undefined) return undefined;
  const schema = body as WireSchema;
  const isChange = method === 'PATCH' || method === 'PUT';
  return {
    shape: shapes.of(schema, { name: `${id}Body`, isSent: true, ...(isChange ? { neverNull } : {}) }),
    isRequired: schema.type === 'array' || (schema.required !== undefined && method !== 'PATCH'),
  };
}

function methodOf(shapes: Shapes, operation: Operation): Method {
  const { id, method, path, summary, params, list, upload } = operation;
  const properties = Object.entries(((operation.query ?? {}) as WireSchema).properties ?? {});
  const own = properties.map(([name, schema]) => parameterOf(name, schema));
  const common = list === undefined ? [] : listParameters(list);
  const query = [...common.filter(({ name }) => !own.some((one) => one.name === name)), ...own];
  const twice = query.find(({ name }) => name in params);
  if (twice !== undefined) throw new Error(`${id} has two parameters ${twice.name}`);
  return {
    ...{ id, verb: method, path, summary, params, query },
    body: bodyOf(shapes, operation),
    hasListQueryOnly: list !== undefined && own.length === 0,
    orders: list?.orderBy ?? [],
    expands: list?.expand ?? [],
    takesKey: takesIdempotencyKey(operation),
    answer: answerOf(shapes, operation),
    takesFile: upload !== undefined,
  };
}

/** The methods of a client, in the order of the contract, and the types that they use. */
export function clientModel(): Model {
  const shapes = new Shapes();
  const methods = operationList
    .filter((operation) => !isStreamed(operation))
    .map((operation) => methodOf(shapes, operation));
  return { methods, shapes };
}
