import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problem.ts';
import { soleHeader } from '../connection.ts';
import { assertJsonType, readJson, readText } from './body.ts';

/** Whether the operation takes no body and lists no 400 with which it could refuse one. Pages take none either. */
function isBodyIgnored(request: FastifyRequest): boolean {
  const { operation } = request.routeOptions.config;
  return operation === undefined || (operation.body === undefined && !operation.errors.includes(400));
}

/** Makes `app` parse the body that the operation declares: JSON, text, or a form that is streamed. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify caches the parser of a type only where the type is named.
  app.addContentTypeParser(
    ['application/json', '*'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes, done) => {
      try {
        if (bytes.length === 0 || isBodyIgnored(request)) return done(null, undefined);
        const { operation } = request.routeOptions.config;
        if (operation?.takesText === true) return done(null, readText(bytes as Buffer));
        if (operation?.upload !== undefined)
          throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.');
        assertJsonType(soleHeader(request.raw, 'content-type'), request.headers['content-encoding']);
        done(null, readJson(bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload, done) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) payload.resume();
    // Upload operations read the stream of the raw request themselves.
    if (operation === undefined || operation.upload !== undefined) done(null, undefined);
    else done(new Problem('unsupported_media_type', 'Send the body as application/json.'));
  });
}
