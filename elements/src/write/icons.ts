import { html, type TemplateResult } from '../shared.ts';

/** The pictures of the buttons, on a field of 16 by 16. They repeat the names of the buttons. */

const paths = {
  bold: 'M5 3h3.5a2.4 2.4 0 0 1 0 5H5zM5 8h4.2a2.5 2.5 0 0 1 0 5H5z',
  italic: 'M7 3h5M4 13h5M9.5 3l-3 10',
  strike: 'M2 8h12M11.5 4.5Q10 3 8 3 5 3 5 5.5M4.5 11.5Q6 13 8 13q3 0 3-2.5',
  code: 'M5 4.5 1.5 8 5 11.5M11 4.5 14.5 8 11 11.5',
  block: 'M2 3h12v10H2zM6.5 6l-2 2 2 2M9.5 6l2 2-2 2',
  link: 'M6.5 9.5a3 3 0 0 0 4.3 0l2.3-2.3a3 3 0 0 0-4.3-4.3l-.8.8M9.5 6.5a3 3 0 0 0-4.3 0L2.9 8.8a3 3 0 0 0 4.3 4.3l.8-.8',
  quote: 'M2.5 3v10M6 5h7.5M6 8h7.5M6 11h5',
  list: 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  numbers: 'M7 4h7M7 8h7M7 12h7M2 3h1v3M2 10.2a.9.9 0 1 1 1.6.6L2 13h2',
  emoji: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.5 9.5q2.5 2.5 5 0M6 6h.01M10 6h.01',
  addPoll: 'M3 13V9M8 13V3M13 13V6',
  addFile: 'M2 3h12v10H2zM2.5 11.5 6 8l2.5 2.5L10.5 9l3 2.5M10.5 6h.01',
} as const;

/** A picture by its name. */
export function icon(name: keyof typeof paths): TemplateResult {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${paths[name]}></path></svg>`;
}
