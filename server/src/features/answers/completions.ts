import type { Egress, EgressResult } from '../../net/egress.ts';
import type { AgentRow } from '../agents/agents.ts';
import type { PromptMessage } from './prompt.ts';

/**
 * The protocol of OpenAI for chat completions, as much of it as an answer needs: a request for a stream, and the answer as
 * server-sent events or, from those that cannot stream, as one JSON object.
 */

/** Why there is no answer, or none that is complete. */
export type CompletionFault =
  | 'blocked'
  | 'unreachable'
  | 'timeout'
  | 'redirect'
  | 'refused'
  | 'invalid'
  | 'broken'
  | 'too_long';

/** How a request ended: with a complete answer, or with a fault and what had come until then. */
export type Completion = {
  readonly text: string;
  readonly fault?: CompletionFault;
  /** What is known of a fault, for the operator's log. */
  readonly detail?: string;
};

/** The most bytes of a response: a stream has some 250 bytes of JSON for each of its words. */
const bytesMax = 16 * 1024 * 1024;
/** The most bytes of one line of a stream, and of a response that is one object. */
const pieceBytesMax = 1024 * 1024;
/** The most bytes of an answer in UTF-8: what a message takes, less the sentence that may end it. */
const textBytesMax = 63 * 1024;

/** The request of a question. */
export type CompletionRequest = {
  readonly agent: AgentRow;
  /** The key of the address. */
  readonly secret: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Gets the text that has come so far, when there is more of it. */
  readonly onText: (text: string) => void;
};

/** Asks a provider. Faults of the provider are returned; throws only the reason of the signal. */
export async function complete(egress: Egress, request: CompletionRequest): Promise<Completion> {
  const { agent, secret, messages, userAgent, signal, onText } = request;
  const reader = createCompletionReader(onText);
  const result = await egress.stream(`${agent.baseUrl}/chat/completions`, {
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': userAgent,
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({
      model: agent.model,
      messages,
      stream: true,
      ...(agent.maxTokens === null ? {} : { max_tokens: agent.maxTokens }),
    }),
    bodyBytesMax: bytesMax,
    signal,
    onData: (statusCode, chunk) => statusCode === 200 && reader.take(chunk),
  });
  const { text, fault, isComplete } = reader.end();
  if (isComplete && fault === undefined) return { text };
  return { text, ...faultOf(result, fault) };
}

function faultOf(
  result: EgressResult,
  fault: CompletionFault | undefined,
): { fault: CompletionFault; detail: string } {
  if (!result.answered) {
    const { errorCode } = result;
    const known = {
      timeout: 'timeout',
      connect_timeout: 'timeout',
      blocked_address: 'blocked',
      reset: 'broken',
    };
    return {
      fault: (known as { [code: string]: CompletionFault })[errorCode] ?? 'unreachable',
      detail: errorCode,
    };
  }
  const { statusCode, truncated } = result;
  const detail = `HTTP ${statusCode}`;
  if (statusCode >= 300 && statusCode < 400) return { fault: 'redirect', detail };
  if (statusCode !== 200) return { fault: 'refused', detail };
  if (fault !== undefined) return { fault, detail };
  return { fault: truncated ? 'too_long' : 'broken', detail };
}

/** Reads the response of a provider piece by piece. */
export function createCompletionReader(onText: (text: string) => void) {
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  let textBytes = 0;
  let isObject: boolean | undefined;
  let isComplete = false;
  let fault: CompletionFault | undefined;

  function add(content: unknown): void {
    // No text of the interface may have U+0000, and not every engine can store it.
    const part = typeof content === 'string' ? content.replaceAll('\0', '') : '';
    if (part === '') return;
    const bytes = Buffer.byteLength(part);
    if (textBytes + bytes > textBytesMax) {
      text += Buffer.from(part)
        .subarray(0, textBytesMax - textBytes)
        .toString()
        .replace(/\uFFFD+$/u, '');
      fault = 'too_long';
    } else text += part;
    textBytes += bytes;
  }

  function takeObject(source: string): void {
    const choice = firstChoice(source);
    if (choice === undefined) {
      fault = 'invalid';
      return;
    }
    add(choice.delta?.content ?? choice.message?.content);
    if (typeof choice.finish_reason === 'string') isComplete = true;
  }

  function takeLine(line: string): void {
    // Comments, names of events and empty lines say nothing here.
    if (!line.startsWith('data:')) return;
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') isComplete = true;
    else if (!isUsageOnly(data)) takeObject(data);
  }

  /** Takes every whole line. */
  function takeLines(): void {
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    const before = text;
    for (const line of lines) {
      if (fault !== undefined) return;
      takeLine(line);
    }
    if (text !== before) onText(readable());
  }

  /** The text without unpaired surrogates. It is kept as it came, because a pair can come in two pieces. */
  function readable(): string {
    return text.toWellFormed();
  }

  return {
    /** Takes the next bytes; returns whether more are wanted. */
    take(chunk: Buffer): boolean {
      rest += decoder.decode(chunk, { stream: true });
      isObject ??= rest.trimStart() === '' ? undefined : rest.trimStart().startsWith('{');
      if (isObject === false) takeLines();
      if (rest.length > pieceBytesMax) fault ??= 'too_long';
      return fault === undefined && (isObject === true || !isComplete);
    },

    /** What came, at the end of the response. */
    end(): { text: string; fault: CompletionFault | undefined; isComplete: boolean } {
      rest += decoder.decode();
      if (fault === undefined && isObject === true) {
        takeObject(rest);
        isComplete = fault === undefined;
      } else if (fault === undefined && isObject === false) {
        rest += '\n';
        takeLines();
      }
      if (isComplete && text.trim() === '') fault ??= 'invalid';
      return { text: readable(), fault, isComplete };
    },
  };
}

type Choice = {
  readonly delta?: { readonly content?: unknown };
  readonly message?: { readonly content?: unknown };
  readonly finish_reason?: unknown;
};

function parsed(source: string): { readonly choices?: unknown; readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Not JSON; the caller reports a fault.
    return undefined;
  }
}

/** The first choice of an object of the protocol; undefined for anything else. */
function firstChoice(source: string): Choice | undefined {
  const choices = parsed(source)?.choices;
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  return typeof choice === 'object' && choice !== null ? choice : undefined;
}

/** Whether a piece has no choice by design, such as the one that counts the tokens. */
function isUsageOnly(source: string): boolean {
  const value = parsed(source);
  return value?.error === undefined && Array.isArray(value?.choices) && value.choices.length === 0;
}
