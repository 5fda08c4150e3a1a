import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './markdown.ts';

/** The thread that renders the texts of `long-texts.ts`, one after the other. It answers each with a `RenderedText`. */

/** A request to the thread. */
export type RenderingRequest = { readonly text: string };

parentPort?.on('message', ({ text }: RenderingRequest) => parentPort?.postMessage(renderMarkdown(text)));
