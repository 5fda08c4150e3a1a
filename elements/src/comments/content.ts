import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Api } from '../api.ts';
import { parts } from '../later.ts';
import type { Comment } from '../thread/comment.ts';
import type { CommentsHost } from './host.ts';
import { serverHtml } from './server-html.ts';

/** What a list of comments has in its JSON where one of them has more than a text, or a long one. */
const inJson = /"(?:attachments|options)":\[\{|"embed":\{|"html":"(?:\\.|[^"\\]){700}/;
/** Texts of so many characters may be long, which depends on their lines. */
const longMin = 700;

/** The text of a comment with what belongs to it: attachments, the preview of a link, a poll. */
export function content(host: CommentsHost, comment: Comment): TemplateResult | typeof nothing {
  const { html: text, attachments, embed, options } = comment;
  const shown =
    text === undefined
      ? nothing
      : html`<div class="text" part="text" dir="auto" .innerHTML=${serverHtml(comment)}></div>`;
  return (embed ?? attachments[0] ?? options[0] ?? (text?.length ?? 0) >= longMin)
    ? html`${shown}${extras(host, comment)}`
    : shown;
}

function extras(host: CommentsHost, comment: Comment): TemplateResult {
  void load();
  return html`<confab-extras .host=${host} .comment=${comment} .t=${host.t}></confab-extras>`;
}

/** The calls of a server, whose comments come when all that they have can be shown, so that nothing moves. */
export function withExtras(api: Api): Pick<Api, 'call'> {
  return {
    async call<T>(...request: Parameters<Api['call']>) {
      const answer = await api.call<T>(...request);
      if (inJson.test(JSON.stringify(answer))) await load();
      return answer;
    },
  };
}

/** Without it, texts are shown alone. */
const load = () => parts.extras().catch(() => undefined);
