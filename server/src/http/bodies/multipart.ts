import { type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Problem } from 'confab-contract/problem.ts';
import type { HttpRequest } from '../request.ts';
import { dropBody } from './unread-body.ts';

/**
 * Reads a multipart/form-data body of exactly one file. The bytes are streamed as they arrive, and the stream ends only
 * after the whole form was valid and its sender may still call; otherwise it fails with the problem. So a consumer that keeps a file only at the end of
 * its stream never keeps a refused one.
 */

/** The file of a form, of at most `bytesMax` bytes. `name` is any text that the client sent. */
export type FormFile = { readonly name: string; readonly bytes: Readable; readonly bytesMax: number };

/** The most bytes of the headers of a part; browsers send far fewer. */
const partHeaderBytesMax = 8 * 1024;
/** The most bytes of a form besides the file itself. */
const wrappingBytesMax = 64 * 1024;

function tooLarge({ part, bytesMax }: PartLimits): Problem {
  const message = `must have at most ${bytesMax} bytes`;
  return new Problem('body_too_large', `${part}: ${message}`, {
    errors: [{ pointer: `/${part}`, code: 'too_long', message }],
  });
}

/** The limits of a form: one file, in the part with a given name. */
type PartLimits = { readonly part: string; readonly bytesMax: number };

/**
 * Passes the file of a form to `store` and returns its result. Throws `malformed_request`,
 * `unsupported_media_type` or `body_too_large`; `store` sees them as failures of the stream.
 */
export async function receiveUpload<T>(
  request: HttpRequest,
  formRequest: PartLimits,
  store: (file: FormFile) => Promise<T>,
): Promise<T> {
  const form = openForm(request, formRequest);
  try {
    return await store(await form.file);
  } catch (error) {
    await form.dropRest();
    throw error;
  }
}

type Form = { readonly file: Promise<FormFile>; readonly dropRest: () => Promise<void> };

function openForm({ raw, headers, prove }: HttpRequest, formRequest: PartLimits): Form {
  const { part } = formRequest;
  const file = Promise.withResolvers<FormFile>();
  // A failure rejects the promise of the file; after it has resolved, failures do not matter.
  file.promise.catch(() => undefined);
  let bytes: Transform | undefined;
  let gate: Transform | undefined;

  function fail(problem: Problem): void {
    if (gate !== undefined) raw.unpipe(gate);
    file.reject(problem);
    bytes?.destroy(problem);
  }
  const wrongParts = () =>
    fail(new Problem('malformed_request', `Send exactly one part: the file "${part}".`));
  /** An upload can take an hour, so the credential is checked again. */
  const finish = (whole: Transform) => {
    if (prove === undefined) whole.end();
    else prove().then(() => whole.end(), fail);
  };
  const endedEarly = () => fail(new Problem('malformed_request', 'The upload ended early.'));

  function open(name: string, source: NodeJS.ReadableStream): void {
    bytes = limited(formRequest);
    bytes.on('error', (error) => fail(error as Problem));
    source.pipe(bytes, { end: false });
    file.resolve({ name, bytes, bytesMax: fileBytesMax(headers, formRequest) });
  }

  const refusal = refuse(headers, formRequest);
  if (refusal !== undefined) {
    fail(refusal);
  } else {
    gate = headerGate(formRequest);
    gate.on('error', (error) => fail(error as Problem));
    const parser = parse(headers as BusboyHeaders);
    if (parser instanceof Problem) {
      fail(parser);
    } else {
      parser.on('error', (error: unknown) =>
        fail(new Problem('malformed_request', 'The form cannot be read.', { cause: error })),
      );
      parser.on('file', (field, source, name, _encoding, type) => {
        // A form that breaks off is an error of the source as well as of the parser.
        source.on('error', endedEarly);
        if (field === part && !type.startsWith('multipart/')) open(name ?? '', source);
        else wrongParts();
      });
      parser.on('field', wrongParts);
      parser.on('partsLimit', wrongParts);
      parser.on('finish', () => (bytes === undefined ? wrongParts() : finish(bytes)));
      raw.on('error', endedEarly);
      raw.on('close', () => {
        if (!raw.complete) endedEarly();
      });
      raw.pipe(gate).pipe(parser);
    }
  }

  return {
    file: file.promise,
    async dropRest() {
      if (gate !== undefined) raw.unpipe(gate);
      await dropBody(raw);
    },
  };
}

/** The most bytes that the file can have: no more than the form, whose length may be in the headers. */
function fileBytesMax(headers: HttpRequest['headers'], { bytesMax }: PartLimits): number {
  return Math.min(Number(headers['content-length'] ?? bytesMax), bytesMax);
}

/** The problem that follows from the headers alone. */
function refuse(headers: HttpRequest['headers'], formRequest: PartLimits): Problem | undefined {
  const { part, bytesMax } = formRequest;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new Problem('unsupported_media_type', 'Compressed bodies are not accepted.');
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    return new Problem('malformed_request', `Send a form with one part: the file "${part}".`);
  const length = Number(headers['content-length'] ?? 0);
  return length > bytesMax + wrappingBytesMax ? tooLarge(formRequest) : undefined;
}

function parse(headers: BusboyHeaders): BusboyInstance | Problem {
  try {
    return new Busboy({
      headers,
      // Names are reduced to their last segment where they are stored, in one way for every source.
      preservePath: true,
      limits: { parts: 1, fieldSize: partHeaderBytesMax, headerSize: partHeaderBytesMax },
    });
  } catch (error) {
    return new Problem('malformed_request', 'The form names no boundary between its parts.', {
      cause: error,
    });
  }
}

/** Passes the form through; fails if it, or its first headers, exceed the size that any form with a file needs. */
function headerGate(formRequest: PartLimits): Transform {
  let total = 0;
  let head: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > formRequest.bytesMax + wrappingBytesMax) return done(tooLarge(formRequest));
      if (head !== undefined) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end > partHeaderBytesMax || (end === -1 && head.length > partHeaderBytesMax))
          return done(new Problem('malformed_request', 'The headers of the part are too long.'));
        if (end !== -1) head = undefined;
      }
      done(null, chunk);
    },
  });
}

/** Passes a file through; fails on the first byte beyond its limit. */
function limited(formRequest: PartLimits): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > formRequest.bytesMax) done(tooLarge(formRequest));
      else done(null, chunk);
    },
  });
}
