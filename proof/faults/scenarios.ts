import { type Client, uploadOf } from 'confab-testing/harness/client.ts';
import type { Scenario } from './sweep.ts';

/** Sends a request as the API key. */
async function send(url: string, key: string, [method, path, body]: [string, string, unknown?]) {
  return await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body instanceof FormData || body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
}

/** A file of some 200 KB to upload, for `fetch`. */
function fileToUpload(): FormData {
  const form = new FormData();
  form.set('blob', new Blob(['other text '.repeat(20_000)], { type: 'text/plain' }), 'after.txt');
  return form;
}

/** An app with a comment, an unused upload, and a webhook; each has the id 1. */
async function prepare(client: Client): Promise<void> {
  await client.must('PUT', '/api/apps/faults', { type: 'comments', access: 'write' });
  await client.must('POST', '/api/apps/faults/comments', { text: 'before' });
  await client.must('POST', '/api/blobs', uploadOf('before.txt', 'some text'));
  const hook = { payload_url: 'https://example.com/', triggers: ['comments'], secret: 'sealed' };
  await client.must('POST', '/api/webhooks', hook);
}

const scenarioOf = (...request: [string, string, unknown?]): Scenario => ({
  prepare,
  request: (url, key) => send(url, key, request),
});

/** The writes whose calls fail one by one. */
export const scenarios = {
  comment: scenarioOf('POST', '/api/apps/faults/comments', { text: 'after', tags: ['a', 'b'], blobs: [1] }),
  upload: scenarioOf('POST', '/api/blobs', fileToUpload()),
  edit: scenarioOf('PATCH', '/api/comments/1', { text: 'after' }),
  trash: scenarioOf('POST', '/api/comments/1/trash'),
  webhook: scenarioOf('PATCH', '/api/webhooks/1', { payload_url: 'https://example.com/after' }),
} as const;
