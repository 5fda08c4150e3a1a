import { allowedAttributes, elementNames, nestingMax } from 'confab-contract/values/canonical-html.ts';
import sanitizeHtml from 'sanitize-html';

// The published types lack `allowedEmptyAttributes`.
const sanitizeOptions: sanitizeHtml.IOptions & { readonly allowedEmptyAttributes: string[] } = {
  allowedTags: [...elementNames],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    span: ['class', 'data-user-id'],
    code: ['class'],
    ol: ['start'],
    li: ['class', 'dir'],
    input: ['type', 'checked', 'disabled'],
    th: ['align'],
    td: ['align'],
    ...Object.fromEntries(
      ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary'].map((name) => [name, ['dir']]),
    ),
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  allowedEmptyAttributes: ['checked', 'disabled'],
  selfClosing: ['br', 'hr', 'input'],
  nestingLimit: nestingMax,
  transformTags: {
    '*': (tagName, attributes) => ({ tagName, attribs: allowedAttributes(tagName, attributes) }),
  },
  // Of a link or mention with invalid attributes only the text is kept.
  exclusiveFilter: ({ tag, attribs }) =>
    (tag === 'a' || tag === 'span') && Object.keys(attribs).length === 0 ? 'excludeTag' : false,
};

/**
 * Html reduced to the closed set by the parser of sanitize-html: a second opinion on the renderer's output, which it
 * must return unchanged.
 */
export function sanitizeByParsing(html: string): string {
  return sanitizeHtml(html, sanitizeOptions);
}
