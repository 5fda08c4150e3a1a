import { type Operation, takesIdempotencyKey } from 'confab-contract/operation.ts';
import { resourceOf } from 'confab-contract/representations.ts';
import { scopesOf } from 'confab-contract/scopes.ts';
import { Input } from '../kernel/input.ts';
import type { Json } from '../kernel/json.ts';
import { isSignedIn } from '../kernel/principal.ts';
import type { Answer } from './answers/answer.ts';
import { conditionsOf } from './answers/entity-tags.ts';
import { idempotencyKeyOf } from './answers/idempotency-key.ts';
import { allowOfList, isPage } from './answers/list-answer.ts';
import { representationsOf } from './answers/representations.ts';
import type { JsonBody } from './bodies/body.ts';
import { type FormFile, receiveUpload } from './bodies/multipart.ts';
import { type BodyReader, bodyReader } from './bodies/validate.ts';
import { callOf, type Handler } from './call.ts';
import type { createLoad } from './limits/load.ts';
import type { createPatience } from './limits/patience.ts';
import type { Room } from './limits/room.ts';
import { linkToNext } from './queries/cursor.ts';
import { paramsReader } from './queries/path-parameters.ts';
import { isStrict } from './queries/prefer.ts';
import { queryReader } from './queries/query.ts';
import { type HttpRequest, type Route, single } from './request.ts';
import {
  type createVisitorAnswers,
  refuseVisitor,
  type VisitorAnswer,
  visitorQueryCheck,
} from './visitors.ts';

/** The header by which the answers of one address differ in their form. */
const formHeader = 'X-Weavy-Source';
const jsonType = 'application/json; charset=utf-8';

function isAnswer(value: Json | Buffer | Answer | undefined): value is Answer {
  return typeof value === 'object' && !Buffer.isBuffer(value);
}

/** What the routes of all operations share. */
export type OperationRoutesOptions = {
  readonly publicUrl: () => string;
  readonly room: Room;
  readonly load: ReturnType<typeof createLoad>;
  readonly patience: ReturnType<typeof createPatience>;
  readonly answerVisitors: ReturnType<typeof createVisitorAnswers>;
};

/**
 * Makes routes of operations: their parameters, query and body are read as declared, then their handler answers. The
 * readers are built once for each operation.
 */
export function createOperationRoutes({
  publicUrl,
  room,
  load,
  patience,
  answerVisitors,
}: OperationRoutesOptions) {
  /** The receiver of an uploaded file; undefined for an operation without upload. */
  function receiverOf({ upload }: Operation, request: HttpRequest) {
    if (upload === undefined) return undefined;
    return <T>(keep: (file: FormFile) => Promise<T>) =>
      patience.extended(request.raw, upload.bytesMax, () => receiveUpload(request, upload, keep));
  }

  return <O extends Operation>(operation: O, handler: Handler<O>): Route => {
    const readParams = paramsReader(operation);
    const readQuery = queryReader(operation);
    const readBodyOf: BodyReader | undefined =
      operation.body === undefined ? undefined : bodyReader(operation);
    const status = Math.min(...Object.keys(operation.success).map(Number));
    const takesKey = takesIdempotencyKey(operation);
    const resource = resourceOf(operation);
    const represent = representationsOf(operation, publicUrl);
    const checkVisitorQuery = visitorQueryCheck(operation);
    const listOf = ({ url }: HttpRequest) => readQuery(url, { isStrict: false, source: undefined }).list;

    async function makeForVisitors(request: HttpRequest): Promise<VisitorAnswer> {
      const query = readQuery(request.url, { isStrict: false, source: undefined });
      checkVisitorQuery(request.url, query.list);
      const handled = await handler(
        callOf<O>({
          principal: request.principal,
          params: readParams(request.params),
          query: query.own,
          list: query.list,
          body: Input.of(undefined),
          raw: request,
        }),
      );
      const result = isPage(handled) ? handled.body : handled;
      if (typeof result !== 'string' && !Buffer.isBuffer(result))
        throw new Error(`${operation.id} gives visitors no JSON`);
      const next = isPage(handled) ? handled.next : undefined;
      const url = publicUrl() + request.url;
      const link = next === undefined ? undefined : linkToNext({ operation, list: query.list, url }, next);
      const { visitedAppId: appId } = request;
      const isAbsent = appId === undefined && 'page' in query.own;
      return { body: result, link, allow: allowOfList(handled), appId, isAbsent };
    }

    function answer(request: HttpRequest): Answer | Promise<Answer> {
      const { principal } = request;
      if (principal?.kind !== 'visitor' || operation.caller === 'anyone') return answerCaller(request);
      if (isSignedIn(principal)) {
        if (operation.visitors !== undefined) checkVisitorQuery(request.url, listOf(request));
        return answerCaller(request);
      }
      // A stream cannot be kept.
      if (operation.media !== undefined) return answerCaller(request).catch(refuseVisitor);
      return answerVisitors(request, makeForVisitors);
    }

    async function answerCaller(request: HttpRequest): Promise<Answer> {
      const strict = isStrict(request.headers);
      const query = readQuery(request.url, {
        isStrict: strict,
        source: single(request.headers['x-weavy-source']),
      });
      // A body of the wrong shape is refused before a path that can name nothing.
      const body =
        readBodyOf?.(request.body as JsonBody | undefined, { isStrict: strict }) ?? Input.of(undefined);
      const call = callOf<O>({
        principal: request.principal,
        params: readParams(request.params),
        query: query.own,
        list: query.list,
        body,
        receive: receiverOf(operation, request),
        idempotencyKey: takesKey ? idempotencyKeyOf(request) : undefined,
        conditions: resource && conditionsOf(request, resource.id),
        raw: request,
      });
      room.check(operation);
      load.resume(request);
      const handled = await handler(call);
      const result = isPage(handled) ? handled.body : handled;
      const whole = isAnswer(result) ? result : { status, ...(result === undefined ? {} : { body: result }) };
      const represented = represent(request, whole);
      const { fields } = request;
      if (strict) fields['preference-applied'] = 'handling=strict';
      if (isPage(handled) && handled.next !== undefined) {
        const url = publicUrl() + request.url;
        const link = linkToNext({ operation, list: query.list, url }, handled.next);
        if (link !== undefined) fields.link = link;
      }
      const allow = allowOfList(handled);
      if (allow !== undefined) fields.allow = allow;
      if (represented.body !== undefined) fields['content-type'] = jsonType;
      if (request.principal?.form !== undefined)
        fields.vary = fields.vary === undefined ? formHeader : `${fields.vary}, ${formHeader}`;
      return represented;
    }

    const path = operation.path.replaceAll('{', ':').replaceAll('}', '');
    return { path, operation, scopes: scopesOf(operation), answer };
  };
}
