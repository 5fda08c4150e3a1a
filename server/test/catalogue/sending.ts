import { checkAnswer } from 'confab-testing/contract-check.ts';
import { exchange, type RawAnswer, requestBytes } from 'confab-testing/network/raw.ts';

/** Sends a request with an unchanged credential header, and checks the response against the contract. */
export async function sendAsIs(
  { url, credential }: { url: string; credential: string },
  { method, target, body: sent }: { method: string; target: string; body?: string | Buffer },
): Promise<RawAnswer> {
  const headers = [
    `Authorization: Bearer ${credential}`,
    'Content-Type: application/json',
    'Connection: close',
  ];
  const request = requestBytes({ method, target, headers, ...(sent === undefined ? {} : { body: sent }) });
  const answer = await exchange(url, request);
  const text = answer.body === '' ? undefined : answer.body;
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  const body = text !== undefined && isJson ? JSON.parse(text) : text;
  checkAnswer({ method, path: target }, { status: answer.status, headers: answer.headers, body });
  return answer;
}
