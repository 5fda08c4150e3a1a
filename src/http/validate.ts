import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { limits } from '../contract/fields.ts';
import type { Operation } from '../contract/operation.ts';
import { parseTimestamp } from '../kernel/clock.ts';
import { uidFault } from '../kernel/ids.ts';
import { Input } from '../kernel/input.ts';
import { type FieldError, Problem } from '../kernel/problem.ts';

/**
 * Bodies are validated without any conversion: `5` is no text. A wrong JSON type is a malformed request (400), told
 * at once; any other broken rule is kept in the `Input` until rights are settled (422).
 */
const ajv = new Ajv({
  strict: true,
  allErrors: true,
  strictTypes: false,
  keywords: ['example'],
  formats: {
    uid: (uid: string) => uidFault(uid) === undefined,
    // A string is never more bytes than three times its length, so most texts need no counting.
    text: (text: string) =>
      text.length * 3 <= limits.textBytesMax || Buffer.byteLength(text) <= limits.textBytesMax,
    'date-time': (text: string) => parseTimestamp(text) !== undefined,
    // Objects are judged in `valueFaults`; the name is kept for the document.
    metadata: true,
  },
});

function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, withoutIds(value)]),
  );
}

const messages: { [keyword: string]: (error: ErrorObject) => string } = {
  required: () => 'is required',
  type: (error) => `must be of the JSON type ${error.params.type}`,
  enum: (error) => `must be one of ${error.params.allowedValues.join(', ')}`,
  maxLength: (error) => `must have at most ${error.params.limit} characters`,
  minLength: () => 'must not be empty',
  maxItems: (error) => `must have at most ${error.params.limit} items`,
  minItems: (error) => `must have at least ${error.params.limit} items`,
  uniqueItems: () => 'must not hold the same item twice',
  minimum: (error) => `must be at least ${error.params.limit}`,
  maximum: (error) => `must be at most ${error.params.limit}`,
  pattern: () => 'must not be blank',
};

function fieldError(error: ErrorObject, body: unknown): FieldError {
  const isMissing = error.keyword === 'required';
  const pointer = isMissing ? `${error.instancePath}/${error.params.missingProperty}` : error.instancePath;
  if (error.keyword === 'format') return formatError(error, pointer, body);
  const code = error.keyword === 'type' ? 'wrong_type' : isMissing ? 'required' : error.keyword.toLowerCase();
  return { pointer, code, message: messages[error.keyword]?.(error) ?? 'is not valid' };
}

function formatError(error: ErrorObject, pointer: string, body: unknown): FieldError {
  if (error.params.format === 'uid') {
    const value = pointer.split('/').slice(1).reduce<unknown>(step, body);
    return { pointer, code: 'uid', message: uidFault(String(value)) ?? 'is not a valid uid' };
  }
  if (error.params.format === 'date-time')
    return { pointer, code: 'time', message: 'must be a time by RFC 3339, such as 2026-11-21T07:42:00Z' };
  return {
    pointer,
    code: 'too_long',
    message: `must have at most ${limits.textBytesMax} bytes in UTF-8`,
  };
}

function step(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** What no schema says: every text is well-formed and free of NUL, and metadata survives being stored. */
function valueFaults(body: unknown): FieldError[] {
  const faults: FieldError[] = [];
  walk(body, '', 0, undefined, faults);
  if (isObject(body) && isObject(body.metadata)) {
    const bytes = Buffer.byteLength(JSON.stringify(body.metadata));
    if (bytes > limits.metadataBytesMax)
      faults.push({
        pointer: '/metadata',
        code: 'too_long',
        message: `must have at most ${limits.metadataBytesMax} bytes when serialised`,
      });
  }
  return faults;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate';
  return text.includes('\0') ? 'must not contain U+0000' : undefined;
}

/** `metadataDepth` is undefined outside metadata and counts its levels inside. */
function walk(
  value: unknown,
  pointer: string,
  depth: number,
  metadataDepth: number | undefined,
  faults: FieldError[],
): void {
  // One fault of this kind explains the rest.
  if (faults.length > 0) return;
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) faults.push({ pointer, code: 'ill_formed', message: fault });
  } else if (typeof value === 'number') {
    if (metadataDepth !== undefined && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER))
      faults.push({ pointer, code: 'number', message: 'must be a number that can be kept exactly' });
  } else if (typeof value === 'object' && value !== null) {
    if (metadataDepth !== undefined && metadataDepth > limits.metadataDepthMax) {
      faults.push({
        pointer: '/metadata',
        code: 'too_deep',
        message: `must be nested at most ${limits.metadataDepthMax} levels deep`,
      });
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      const inner =
        metadataDepth === undefined ? (depth === 0 && key === 'metadata' ? 1 : undefined) : metadataDepth + 1;
      const fault = textFault(key);
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (fault !== undefined && inner !== undefined)
        faults.push({ pointer, code: 'ill_formed', message: fault });
      else if (fault === undefined) walk(member, at, depth + 1, inner, faults);
    }
  }
}

type Prefer = { readonly isStrict: boolean };

/** Validates a body that was read; answers an `Input` that holds the value or the 422 that is due later. */
export type BodyReader = (body: unknown, prefer: Prefer) => Input<unknown>;

/** Makes the reader of an operation's body. It throws a 400 for wrong JSON types. */
export function bodyReader(operation: Operation): BodyReader {
  const schema = operation.body as TSchema & { type: string; properties?: Record<string, TSchema> };
  const validate = ajv.compile(withoutIds(schema) as TSchema);
  const isList = schema.type === 'array';
  const isNullKept = operation.method === 'PATCH' || operation.method === 'PUT';
  const known = new Set(Object.keys(schema.properties ?? {}));

  return (sent, prefer) => {
    const body = sent === undefined && !isList ? {} : sent;
    if (isList && sent === undefined)
      throw new Problem('malformed_request', 'The body must be a JSON array.');
    if (isList !== Array.isArray(body) || typeof body !== 'object' || body === null)
      throw new Problem('wrong_type', `The body must be a JSON ${isList ? 'array' : 'object'}.`, {
        errors: [{ pointer: '', code: 'wrong_type', message: `must be of the JSON type ${schema.type}` }],
      });
    if (isList) return judge(validate, body, []);
    const { value, nulls, unknown } = splitFields(body as Record<string, unknown>, known);
    const faults: FieldError[] = [];
    if (prefer.isStrict)
      for (const name of unknown)
        faults.push({
          pointer: `/${name}`,
          code: 'unknown_property',
          message: 'is not a property of this operation',
        });
    if (isNullKept)
      for (const name of nulls)
        if (operation.neverNull?.includes(name))
          faults.push({ pointer: `/${name}`, code: 'required', message: 'cannot be cleared' });
    const input = judge(validate, value, faults);
    return isNullKept ? input.map((fields) => ({ ...(fields as object), ...cleared(nulls) })) : input;
  };
}

function cleared(nulls: readonly string[]): Record<string, null> {
  return Object.fromEntries(nulls.map((name) => [name, null]));
}

/** Keeps the known fields, apart from the nulls among them; a null-prototype copy, so that no key is special. */
function splitFields(body: Record<string, unknown>, known: ReadonlySet<string>) {
  const value: Record<string, unknown> = {};
  const nulls: string[] = [];
  const unknown: string[] = [];
  for (const name of Object.keys(body)) {
    if (!known.has(name)) unknown.push(name);
    else if (body[name] === null) nulls.push(name);
    else value[name] = body[name];
  }
  return { value, nulls, unknown };
}

function judge(validate: ValidateFunction, value: unknown, faults: FieldError[]): Input<unknown> {
  if (!validate(value)) {
    const errors = validate.errors ?? [];
    const types = errors.filter((error) => error.keyword === 'type');
    if (types.length > 0) {
      const fields = types.map((error) => fieldError(error, value));
      throw new Problem('wrong_type', summary(fields), { errors: fields });
    }
    faults.push(...errors.map((error) => fieldError(error, value)));
  }
  faults.push(...valueFaults(value));
  if (faults.length === 0) return Input.of(value);
  return Input.broken(new Problem('validation_failed', summary(faults), { errors: faults }));
}

/** The first fault in words; the list has the others. */
function summary(faults: readonly FieldError[]): string {
  const [first] = faults;
  return first === undefined
    ? 'The body is not valid.'
    : `${first.pointer?.slice(1) || 'The body'} ${first.message}.`;
}
