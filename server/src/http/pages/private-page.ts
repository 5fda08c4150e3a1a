import type { Answer } from '../answers/answer.ts';
import { html, type Markup } from './html.ts';
import { pageAnswer } from './page.ts';

/** A page that may post its forms to this server, and that nobody keeps, because its address is a credential. */
export function privatePage(title: string, content: Markup): Answer {
  const page = pageAnswer(title, html`<main><h1>${title}</h1>${content}</main>`);
  const policy = String(page.headers?.['content-security-policy']);
  return {
    ...page,
    headers: {
      ...page.headers,
      'content-security-policy': policy.replace("form-action 'none'", "form-action 'self'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  };
}
