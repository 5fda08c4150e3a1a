import sanitizeHtml from 'sanitize-html';
import { allowedAttributes, elementNames, nestingMax } from '../../src/features/markdown/canonical-html.ts';

const sanitizeOptions: sanitizeHtml.IOptions = {
  allowedTags: [...elementNames],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    span: ['class', 'data-user-id'],
    code: ['class'],
    ol: ['start'],
    th: ['align'],
    td: ['align'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  selfClosing: ['br', 'hr'],
  nestingLimit: nestingMax,
  transformTags: {
    '*': (tagName, attributes) => ({ tagName, attribs: allowedAttributes(tagName, attributes) }),
  },
  // A link or mention whose attributes do not stand the test leaves its text only.
  exclusiveFilter: ({ tag, attribs }) =>
    (tag === 'a' || tag === 'span') && Object.keys(attribs).length === 0 ? 'excludeTag' : false,
};

/**
 * Html reduced to the closed set by the parser of sanitize-html: the second opinion on what the renderer writes, which it
 * must return as it is.
 */
export function sanitizeByParsing(html: string): string {
  return sanitizeHtml(html, sanitizeOptions);
}
