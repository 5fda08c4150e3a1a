import type { Readable } from 'node:stream';
import type { Operation } from 'confab-contract/operation.ts';
import type { InnerAnswer, Within } from '../inner-request.ts';
import type { HttpRequest } from '../request.ts';
import { show, showProblem } from './show.ts';
import type { Tool } from './tools.ts';

/** Arguments of a tool, as a program sent them. */
export type Arguments = { readonly [name: string]: unknown };

/** What a program is shown of an operation. */
export type ToolResult = {
  readonly text: string;
  readonly isRefused: boolean;
  /** The answer of the operation, where it was not refused and has one. */
  readonly value?: unknown;
};

/** Runs operations for one client, as its own requests would. */
export type Calls = (tool: Tool, values: Arguments) => Promise<ToolResult>;

/** The parts of the request of an operation. */
type Parts = { readonly url: string; readonly body: string | undefined };

/** Creates the calls for the client of a request. */
export function callsOf(around: HttpRequest, within: Within): Calls {
  return async (tool, values) => {
    const { operation } = tool;
    const missing = Object.keys(operation.params).filter((name) => !isPart(values[name]));
    if (missing.length > 0) return refused(`Refused: ${missing.join(' and ')} must be a text or a number.`);
    const { properties } = tool.listed.inputSchema;
    const unknown = Object.keys(values).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length > 0)
      return refused(`Refused: ${operation.id} has no argument ${unknown.join(' and no argument ')}.`);
    const answer = await within(around, { operation, ...partsOf(tool, values), via: 'mcp' });
    return await shownOf(operation, answer);
  };
}

function refused(text: string): ToolResult {
  return { text, isRefused: true };
}

/** Whether a value can stand in a path. */
function isPart(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function partsOf({ operation, parameters, fields }: Tool, values: Arguments): Parts {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(String(values[name])),
  );
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (place !== 'query' || value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  // The names of authors are worth more than another question for each.
  if (operation.list?.expand.includes('created_by') === true) query.append('expand', 'created_by');
  const bodyFields = Object.entries(values).filter(([name]) => fields.has(name));
  const search = query.toString();
  return {
    url: search === '' ? path : `${path}?${search}`,
    body: operation.body === undefined ? undefined : JSON.stringify(Object.fromEntries(bodyFields)),
  };
}

async function shownOf({ id }: Operation, answer: InnerAnswer): Promise<ToolResult> {
  const { status, link, retryAfter } = answer;
  const text = await textOf(answer.body);
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  if (status >= 400) return refused(showProblem(status, value, retryAfter));
  if (value === undefined) return { text: `Done: ${id}.`, isRefused: false };
  const after = link === undefined ? undefined : afterIn(link);
  const more = after === undefined ? '' : `\nThere are more: call again with after ${JSON.stringify(after)}.`;
  return { text: show(value) + more, isRefused: false, value };
}

/** Where the next page begins, by the header field of an answer. */
function afterIn(link: string): string | undefined {
  const query = /<[^>?]*\?([^>]*)>/.exec(link)?.[1];
  return new URLSearchParams(query).get('after') ?? undefined;
}

async function textOf(body: InnerAnswer['body']): Promise<string> {
  if (body === undefined) return '';
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  const chunks: Buffer[] = [];
  for await (const chunk of body as Readable) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
