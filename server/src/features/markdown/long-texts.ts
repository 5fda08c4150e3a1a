import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type RenderedText, renderMarkdown } from './markdown.ts';
import type { RenderingRequest } from './markdown-thread.ts';

/**
 * Long texts are rendered by a thread of their own, because 64 KiB of Markdown take up to 70 ms, for which every other
 * request would wait. The first long text starts it.
 */

/** The most characters of a text that is rendered at once: some 5 ms at worst. */
const shortCharactersMax = 4096;

/** The memory limit of the thread in MiB; the most expensive text of 64 KiB needs about 30. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** One thread and the texts that it was given, in order. */
class Renderer {
  readonly #worker = new Worker(
    new URL(`./markdown-thread${extname(import.meta.filename)}`, import.meta.url),
    { env: {}, execArgv: [], resourceLimits },
  );
  readonly #pending: PromiseWithResolvers<RenderedText>[] = [];

  /** `onEnded` is called when it renders nothing more. */
  constructor(onEnded: () => void) {
    this.#worker.on('message', (rendered: RenderedText) => {
      this.#pending.shift()?.resolve(rendered);
      if (this.#pending.length === 0) this.#worker.unref();
    });
    this.#worker.on('error', (error) => {
      onEnded();
      for (const { reject } of this.#pending.splice(0)) reject(error);
    });
  }

  render(text: string): Promise<RenderedText> {
    const rendering = Promise.withResolvers<RenderedText>();
    this.#pending.push(rendering);
    // It keeps the process running only while it has something to do.
    this.#worker.ref();
    this.#worker.postMessage({ text } satisfies RenderingRequest);
    return rendering.promise;
  }
}

let renderer: Renderer | undefined;

/** As `renderMarkdown`, which it calls for a short text; a promise for a long one, during which the event loop turns. */
export function renderInTime(text: string): RenderedText | Promise<RenderedText> {
  if (text.length <= shortCharactersMax) return renderMarkdown(text);
  renderer ??= new Renderer(() => {
    renderer = undefined;
  });
  return renderer.render(text);
}
