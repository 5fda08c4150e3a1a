import { AssertionError } from 'node:assert';
import { checkAnswer } from '../contract-check.ts';
import type { Answer } from '../differential/servers.ts';
import type { Sent } from './mutations.ts';

/** What no response may show: stack traces, statements, and the insides of the program. */
const insides =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|SQLITE_|ERR_[A-Z_]{4}|TypeError|RangeError|\b(?:insert into|select .{1,200}? from) "|relation "\w+"|syntax error at/;

/** A user is exported once at a time; the copies of a request ask for more, and are refused as the contract says. */
function isSecondExport({ path }: Sent, { status, bytes }: Answer): boolean {
  return status === 503 && path.includes('/export') && bytes.includes('"code":"too_busy"');
}

/** Whether a response is the page that a browser gets at a wrong address outside of the API. */
function isPageOfWrongAddress({ path, headers }: Sent, status: number, type: string | null): boolean {
  const isAsked = headers.accept?.startsWith('text/html') === true && !path.startsWith('/api/');
  return isAsked && status === 404 && type?.startsWith('text/html') === true;
}

/** What is wrong with a response: nothing where the contract allows it. `folder` is the data folder of the server. */
export function faultsOf(sent: Sent, answer: Answer, folder: string): string[] {
  const { status } = answer;
  if (status >= 500 && !isSecondExport(sent, answer))
    return [`${status}: ${answer.bytes.toString().slice(0, 300)}`];
  const headers = new Headers(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    ),
  );
  const faults: string[] = [];
  if (status >= 400) {
    const shown = answer.bytes.toString();
    const inside = insides.exec(shown)?.[0] ?? (shown.includes(folder) ? folder : undefined);
    // A refusal may repeat what was sent.
    if (inside !== undefined && !`${sent.path} ${sent.body}`.includes(inside))
      faults.push(`${status} shows "${inside}"`);
  }
  if (sent.method === 'HEAD' || headers.has('content-encoding')) return faults;
  if (isPageOfWrongAddress(sent, status, headers.get('content-type'))) return faults;
  const { authorization, prefer } = sent.headers;
  try {
    const text = answer.bytes.toString();
    const isJson = /json/.test(headers.get('content-type') ?? '');
    checkAnswer(
      {
        ...{ method: sent.method, path: sent.path, prefer },
        isVisitor: authorization === undefined,
        source: sent.headers['x-weavy-source'],
        isSignedIn: authorization?.startsWith('Bearer wyv_') === true,
      },
      { status, headers, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined },
    );
  } catch (error) {
    if (!(error instanceof AssertionError || error instanceof SyntaxError)) throw error;
    faults.push(error.message.slice(0, 600));
  }
  return faults;
}
