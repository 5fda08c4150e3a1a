import { checkAnswer } from '../support/contract-check.ts';
import { exchange, type RawAnswer, requestBytes } from '../support/raw.ts';

/** Sends a request with an unchanged credential header, and checks the response against the contract. */
export async function sendAsIs(
  { url, credential }: { url: string; credential: string },
  { method, target, body }: { method: string; target: string; body?: string | Buffer },
): Promise<RawAnswer> {
  const headers = [
    `Authorization: Bearer ${credential}`,
    'Content-Type: application/json',
    'Connection: close',
  ];
  const request = requestBytes({ method, target, headers, ...(body === undefined ? {} : { body }) });
  const answer = await exchange(url, request);
  checkAnswer(
    { method, path: target },
    {
      status: answer.status,
      headers: answer.headers,
      body: answer.body === '' ? undefined : JSON.parse(answer.body),
    },
  );
  return answer;
}
