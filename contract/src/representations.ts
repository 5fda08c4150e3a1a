import { operationList } from './index.ts';
import type { Operation } from './operation.ts';
import { secondFormOperationList } from './second-form/operations.ts';

/**
 * Which answers carry an entity tag and which changes can depend on one (RFC 9110 section 8.8.3; decision 0078). All of
 * it follows from the methods, the paths and the schemas of the operations.
 */

/** Whether an operation gets one thing as JSON, or a document that is not paged. */
function getsOne({ method, list, media, query }: Operation): boolean {
  return (
    method === 'GET' && list === undefined && media === undefined && query?.properties.after === undefined
  );
}

const gets = [...operationList, ...secondFormOperationList].filter(getsOne);
const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
const getsAt = Map.groupBy(gets, ({ path }) => shapeOf(path));

/** What clients edit: everything that is changed with PATCH or PUT at the address where it is read. */
const edited = operationList
  .filter(({ method }) => method === 'PATCH' || method === 'PUT')
  .flatMap(({ path }) => getsAt.get(shapeOf(path)) ?? []);
const editedSchemas = new Set(edited.map(({ success }) => success[200]));
const tagged = new Set(gets.map(({ success }) => success[200]));

/**
 * The operation that gets what `operation` changes, where the change can depend on its tag: at the same address, or at
 * an address one word longer with which it answers, such as `/trash`.
 */
export function resourceOf(operation: Operation): Operation | undefined {
  if (operation.method === 'GET') return undefined;
  const path = shapeOf(operation.path);
  const [same, above] = [path, path.replace(/\/\w+$/, '')].map((each) =>
    edited.find((get) => shapeOf(get.path) === each),
  );
  const answersAbove = Object.values(operation.success).some((schema) => schema === above?.success[200]);
  return same ?? (answersAbove ? above : undefined);
}

/** Whether an operation takes `If-None-Match` and then answers 304 to a client whose copy is current. */
export function takesIfNoneMatch(operation: Operation): boolean {
  return getsOne(operation);
}

/**
 * What the tag of an answer with `status` covers: `body`, what is sent; `version`, also what can be edited, apart from
 * the rest. Undefined for an answer without a tag, as every answer to a PUT is, because what is sent there is not what
 * is stored (RFC 9110 section 9.3.4).
 */
export function tagKindOf({ method, success }: Operation, status: number): 'body' | 'version' | undefined {
  const schema = success[status];
  if (method === 'PUT' || schema === undefined || schema === null || !tagged.has(schema)) return undefined;
  return editedSchemas.has(schema) ? 'version' : 'body';
}

/** Whether a success of a change shows something, which a client can leave out with `Prefer: return=minimal`. */
export function takesReturnMinimal({ method, success }: Operation): boolean {
  return method !== 'GET' && Object.values(success).some((schema) => schema !== null && tagged.has(schema));
}

/** The address at which what an operation creates is read, with `{id}` in the place of its id. */
export function locationOf({ success }: Operation): string | undefined {
  const get = gets.find(
    (each) => each.success[200] === success[201] && Object.keys(each.params).length === 1,
  );
  return get?.path.replace(/\{\w+\}/, '{id}');
}
