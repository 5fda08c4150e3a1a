import { limits } from 'confab-contract/fields.ts';
import type { Operation } from 'confab-contract/operation.ts';
import type { TSchema } from 'typebox';
import { directory } from './world.ts';

type Schema = TSchema & {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
};

/** What a body needs that has to be there before it is sent. */
export type Supply = {
  /** Ids of uploads of the caller that nothing uses. */
  blobs(count: number): Promise<number[]>;
  embed(): Promise<number>;
  meeting(): Promise<number>;
  /** The address of a page that has not been fetched. */
  pageUrl(): string;
  /** A uid that nothing has. */
  freshUid(): string;
  /** The uid of a colleague, another one for each number. */
  colleague(n: number): string;
};

const metadata = Object.fromEntries(
  Array.from({ length: 4000 }, (_, n) => [`k${n}`, n]).slice(0, Math.floor(limits.metadataBytesMax / 17)),
);
// A picture that is none, so that all of it is read before it is refused.
const picture = `data:image/png;base64,${' '.repeat(600_000)}!`;

/** The largest value for a property that means something by its name; undefined for any other. */
async function named(name: string, operation: Operation, supply: Supply): Promise<unknown> {
  const makes: { readonly [property: string]: () => unknown } = {
    access: () => 'write',
    attachments: () => undefined,
    blob_id: async () => (await supply.blobs(1))[0],
    blobs: () => supply.blobs(limits.blobsMax),
    content: () => '👩‍👩‍👧‍👧',
    directory: () => directory,
    download: () => 'https://files.example.com/a',
    email: () => `${'a'.repeat(200)}@example.com`,
    embed: () => 'https://files.example.com/a',
    embed_id: () => supply.embed(),
    id: () => undefined,
    is_suspended: () => false,
    link: () => 'https://files.example.com/a',
    media_type: () => 'image/png',
    meeting_id: () => supply.meeting(),
    members: () => Array.from({ length: limits.membersMax }, (_, n) => supply.colleague(n)),
    metadata: () => metadata,
    options: () =>
      Array.from({ length: limits.optionsMax }, () => ({ text: 'o'.repeat(limits.optionCharactersMax) })),
    payload_url: () => 'https://example.com/hook',
    picture: () => picture,
    provider: () => (operation.id === 'createMeeting' ? 'jitsi' : 'p'.repeat(256)),
    raw: () => 'r'.repeat(60_000),
    replace: () => true,
    secret: () => 's'.repeat(limits.secretCharactersMax),
    tags: () => Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(64, 't')),
    text: () => 'c d '.repeat(limits.textBytesMax / 4),
    triggers: () => ['comments'],
    type: () => (operation.id === 'createConversation' ? 'chat_room' : 'comments'),
    uid: () => supply.freshUid(),
    url: () => supply.pageUrl(),
  };
  const make = makes[name];
  return make === undefined ? undefined : await make();
}

/** A body that is taken as it is, with everything at its limit. */
export async function fullBody(operation: Operation, supply: Supply): Promise<unknown> {
  return await full(operation.body as Schema, operation, supply);
}

async function full(schema: Schema, operation: Operation, supply: Supply): Promise<unknown> {
  if (schema.type === 'array') {
    const isObject = schema.items?.type === 'object';
    return Array.from({ length: schema.maxItems ?? 100 }, (_, n) =>
      isObject ? { uid: supply.colleague(n), access: 'write' } : supply.colleague(n),
    );
  }
  if (schema.type === 'object' && schema.properties !== undefined) {
    const body: { [name: string]: unknown } = {};
    for (const [name, property] of Object.entries(schema.properties)) {
      // Those who keep their uid are changed by another name of it.
      const isRenamed = name === 'uid' && operation.method !== 'POST';
      const value = isRenamed ? undefined : await named(name, operation, supply);
      if (value !== undefined) body[name] = value;
      else if (!['uid', 'id', 'attachments'].includes(name))
        body[name] = await full(property, operation, supply);
    }
    return body;
  }
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return Math.min(schema.maximum ?? 1, 1000);
  if (schema.type === 'boolean') return false;
  return 'c'.repeat(Math.min(schema.maxLength ?? 256, 256));
}

/** As many pieces as a body may have bytes, between a beginning and an end. */
function stuffed(start: string, piece: string, end: string, separator = ','): string {
  const times = Math.floor(
    (limits.bodyBytesMax - start.length - end.length) / (piece.length + separator.length),
  );
  return start + Array.from({ length: times }, () => piece).join(separator) + end;
}

/** Bodies of a megabyte in which everything is wrong, by what is: of every array and text that the operation takes. */
export function wrongBodies(operation: Operation): { readonly [name: string]: string } {
  const schema = operation.body as Schema;
  const bodies: { [name: string]: string } = {
    'a megabyte of brackets': '['.repeat(limits.bodyBytesMax),
    'a megabyte of arrays': stuffed('[', '[]', ']'),
    'a megabyte of objects in objects': '{"a":'.repeat(Math.floor(limits.bodyBytesMax / 5)),
  };
  if (schema.type === 'array') {
    bodies['a megabyte of numbers'] = stuffed('[', '1', ']');
    bodies['a megabyte of empty objects'] = stuffed('[', '{}', ']');
    bodies['a megabyte of unknown names'] = stuffed('[', '{"uid":"x"}', ']');
    bodies['a megabyte of null'] = stuffed('[', 'null', ']');
    return bodies;
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const [start, end] = [`{${JSON.stringify(name)}:`, '}'];
    const types = [property.type ?? 'unknown'].flat();
    if (types.includes('array')) {
      bodies[`a megabyte of numbers as ${name}`] = stuffed(`${start}[`, '1', `]${end}`);
      bodies[`a megabyte of empty objects as ${name}`] = stuffed(`${start}[`, '{}', `]${end}`);
      bodies[`a megabyte of texts as ${name}`] = stuffed(`${start}[`, '"a"', `]${end}`);
    }
    if (types.includes('string') && property.enum === undefined)
      bodies[`a megabyte of text as ${name}`] = stuffed(`${start}"`, ' ', `"${end}`, '');
    if (types.includes('object') || types.includes('unknown')) {
      bodies[`a megabyte of properties as ${name}`] = manyProperties(start, end);
      bodies[`a megabyte of numbers as ${name}`] = stuffed(`${start}{"a":[`, '1', `]}${end}`);
    }
  }
  return bodies;
}

/** A megabyte of properties that the operation does not know, in its body or in each item of it. */
export function unknownProperties(operation: Operation): string {
  return (operation.body as Schema).type === 'array' ? manyProperties('[', ']') : manyProperties('', '');
}

function manyProperties(start: string, end: string): string {
  let body = `${start}{"a":1`;
  for (let n = 0; body.length < limits.bodyBytesMax - 20 - end.length; n += 1) body += `,"u${n}":1`;
  return `${body}}${end}`;
}
