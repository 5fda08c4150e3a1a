import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { ProblemBody } from 'confab-contract/fields.ts';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import type { ProblemCode } from 'confab-contract/problem.ts';
import { tagKindOf, takesReturnMinimal } from 'confab-contract/representations.ts';
import { secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import { inSecondForm } from 'confab-contract/second-form/schemas.ts';
import { headerStatusesOf, problemCodesOf } from 'confab-server/src/http/openapi/operation-facts.ts';
import { isMinimal } from 'confab-server/src/http/queries/prefer.ts';
import { formOf } from 'confab-server/src/kernel/form.ts';
import { testFile } from './test-file.ts';

/**
 * Checks every response of every test against the contract: a documented status, and a valid body without any
 * undeclared property.
 */

const ajv = new Ajv({ strict: false, allErrors: true });

/** The schema without ids and with `additionalProperties: false` wherever properties are listed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id' && key !== 'format')
      .map(([key, value]) => [key, closed(value)]),
  );
  if ('properties' in copy && !('additionalProperties' in copy)) copy.additionalProperties = false;
  return copy;
}

const validators = new Map<unknown, ValidateFunction>();

/** Checks a value against a schema of the contract; undeclared properties are refused. */
export function validatorOf(schema: object): ValidateFunction {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = ajv.compile(closed(schema) as object);
    validators.set(schema, validator);
  }
  return validator;
}

/** The operations at their addresses: those of the first form, and of the second those that replace none. */
const patterns = [...operationList, ...secondFormOperationList]
  .filter((operation) => operation.replaces !== true)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`),
  }));

const addressOf = ({ method, path }: Operation) => `${method} ${path}`;
const replacing = new Map(
  secondFormOperationList.filter(({ replaces }) => replaces === true).map((each) => [addressOf(each), each]),
);

/** The operation of a request, or undefined for any other path or method. */
function operationOf(method: string, target: string, isSecond: boolean): Operation | undefined {
  // A fragment has no place in a request, and the server leaves it out as it does the query.
  const bare = target.split(/[?#]/)[0] ?? '';
  const operation = patterns.find(
    (each) => each.operation.method === method && each.pattern.test(bare),
  )?.operation;
  return (isSecond && operation !== undefined && replacing.get(addressOf(operation))) || operation;
}

/** The file in which the run collects the responses that each test file has seen; set by tools/test.ts. */
const coverageFile = process.env.TEST_COVERAGE_FILE;

/** The lines of that file that this process has written. */
const noted = new Set<string>();

function note(line: string): void {
  if (coverageFile === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(coverageFile, `${line}\n`);
}

/** The headers of a response, however it was received. */
type ReceivedHeaders = {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
};

/** Fails unless the contract allows the response to the request. */
export function checkAnswer(
  request: {
    method: string;
    path: string;
    prefer?: string | undefined;
    /** Whether it had no credential. */
    isVisitor?: boolean;
    /** Whether its credential was that of a visitor who has signed in. */
    isSignedIn?: boolean;
    /** Its header `X-Weavy-Source`, which asks for a form. */
    source?: string | undefined;
  },
  answer: { status: number; headers: ReceivedHeaders; body: unknown },
): void {
  const where = `${request.method} ${request.path} → ${answer.status}`;
  assert.notEqual(answer.status, 500, `${where}: ${JSON.stringify(answer.body)}`);
  const isSecond = formOf(request.source) !== undefined;
  const operation = operationOf(request.method, request.path, isSecond);
  if (operation !== undefined) {
    const code = [403, 409, 422].includes(answer.status) ? ` ${(answer.body as ProblemBody).code}` : '';
    note(`${operation.id} ${answer.status} ${testFile()}${code}`);
  }
  if (answer.status >= 400) {
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, where);
    assertValid(ProblemBody, answer.body, where);
    assert.equal((answer.body as ProblemBody).status, answer.status, where);
    if (operation !== undefined) assertDeclared(operation, answer.body as ProblemBody, where);
    return;
  }
  if (operation === undefined) return;
  if (answer.status in headerStatusesOf(operation) || lacksBody(operation, request.prefer)) {
    assert.equal(answer.body, undefined, `${where} has no body`);
    return;
  }
  if (request.isVisitor === true && operation.visitors !== undefined && operation.media === undefined) {
    assert.ok(answer.headers.has('etag'), `${where} has a tag`);
    if (answer.status !== 304) assertValid(operation.visitors, answer.body, where);
    return;
  }
  const isShown = operation.success[answer.status] === Object.values(operation.success)[0];
  const ofSignedIn =
    request.isSignedIn === true && isShown ? (operation.signedIn ?? operation.visitors) : undefined;
  const hasTag = tagKindOf(operation, answer.status) !== undefined;
  assert.equal(answer.headers.has('etag'), hasTag, `${where} has a tag exactly if the contract says so`);
  const schema = ofSignedIn ?? operation.success[answer.status];
  assert.notEqual(schema, undefined, `${where} is not documented`);
  if (schema === null) assert.equal(answer.body, undefined, `${where} has no body`);
  else if (schema !== undefined) {
    // An empty body is an empty text where the response is a text.
    const body = operation.media === undefined ? answer.body : (answer.body ?? '');
    assertValid(isSecond ? inSecondForm(schema) : schema, body, where);
  }
}

/** Whether a success has no body because the client wants none. */
function lacksBody(operation: Operation, prefer: string | undefined): boolean {
  return isMinimal({ prefer }) && takesReturnMinimal(operation);
}

/** The status and the code of a refusal must be declared. */
function assertDeclared(operation: Operation, { status, code }: ProblemBody, where: string): void {
  // The request line itself is unreadable, so the request belongs to no operation.
  if (status === 400 && code === 'malformed_request') return;
  const codes = problemCodesOf(operation, status);
  assert.ok(
    codes.includes(code as ProblemCode),
    `${where}: ${operation.id} declares no ${code} (${codes.join(', ')})`,
  );
}

function assertValid(schema: object, body: unknown, where: string): void {
  const validate = validatorOf(schema);
  assert.ok(
    validate(body),
    `${where} breaks the contract: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)?.slice(0, 600)}`,
  );
}
