import type { Operation } from 'confab-contract/operation.ts';
import {
  makeApp,
  makeComment,
  makeDirectory,
  makeFile,
  makePost,
  makeUser,
  makeWebhook,
} from '../fixtures.ts';
import type { TestServer } from '../server.ts';

/** A JSON Schema, with the keywords that lead to the places of a body. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
};

/** A place in the body of an operation: the names on the way to it, `[]` for an item of an array. */
export type BodyPlace = {
  readonly operation: Operation;
  readonly path: readonly string[];
  readonly schema: Schema;
};

/** Every place in the body of an operation, the body itself first. */
export function placesOf(operation: Operation): BodyPlace[] {
  const places: BodyPlace[] = [];
  const visit = (schema: Schema, path: readonly string[]): void => {
    places.push({ operation, path, schema });
    if (schema.items !== undefined) visit(schema.items, [...path, '[]']);
    for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, [...path, name]);
  };
  if (operation.body !== undefined) visit(operation.body as Schema, []);
  return places;
}

/** The JSON text of a body that contains only `text`, at a place. */
export function textAt(path: readonly string[], text: string): string {
  return path.reduceRight(
    (inner, name) => (name === '[]' ? `[${inner}]` : `{${JSON.stringify(name)}:${inner}}`),
    text,
  );
}

/** The JSON pointer to a place; items have the index 0. */
export function pointerTo(path: readonly string[]): string {
  return path.map((name) => `/${name === '[]' ? '0' : name}`).join('');
}

/** One object of each kind that a path can name. */
export type Targets = {
  readonly token: string;
  /** The path of an operation on an object that exists and that the API key may change. */
  pathOf(operation: Operation): string;
};

/** Creates one object of each kind. The path of an operation on anything else names nothing. */
export async function makeTargets(server: TestServer): Promise<Targets> {
  const user = await makeUser(server);
  const made = async (type: string) => (await makeApp(server, { type, access: 'write' })).id;
  const apps: { readonly [noun: string]: number } = {
    comments: await made('comments'),
    files: await made('files'),
    posts: await made('posts'),
    messages: await made('chat'),
  };
  // Made by the user, so that the API key may report them.
  const as = { as: user.token };
  const message = await server.create(`/api/apps/${apps['messages']}/messages`, { text: 'x' }, as);
  const comment = (await makeComment(server, Number(apps['comments']), {}, as)).id;
  await server.call('POST', `/api/comments/${comment}/reports`, { reason: 'spam' });
  const ids: { readonly [collection: string]: number } = {
    comments: comment,
    reports: (await server.call('GET', '/api/reports')).body.data?.[0]?.id ?? 0,
    files: await makeFile(server, Number(apps['files']), as),
    posts: await makePost(server, Number(apps['posts']), as),
    messages: message.id,
    webhooks: await makeWebhook(server),
    users: user.id,
    directories: await makeDirectory(server, 'targets'),
  };
  return {
    token: user.token,
    pathOf({ path }) {
      const [, , collection = '', , noun = ''] = path.split('/');
      const first = collection === 'apps' ? (apps[noun] ?? apps['comments']) : ids[collection];
      return path.replace(/\{[a-z]+\}/, String(first ?? 1)).replaceAll(/\{[a-z]+\}/g, String(user.id));
    },
  };
}
