import { type CommentsHost, html, nothing, type TemplateResult } from '../shared.ts';
import type { Attachment, Picture } from './picture.ts';

/** Attachments: pictures in a grid, which a click enlarges, and below them files with what they are and how large. */

/** A picture that stands alone is at most as wide and high, in pixels. */
const widthMax = 640;
const heightMax = 400;
/** How wide a cell of the grid is at most, in pixels. */
const cellMax = 320;
/** The longer side of the two sizes in which the server has each picture, in pixels (`server/src/features/previews`). */
const thumbnailSide = 512;
const previewSide = 2048;

/** The attachments of a comment. */
export function attached(host: CommentsHost, attachments: readonly Attachment[]): TemplateResult {
  const label = host.t('attachments');
  const pictures = attachments
    .filter(isPicture)
    .map((each): Picture => ({ ...each, address: addressOf(each) }));
  const files = attachments.filter((each) => !isPicture(each));
  return html`${
    pictures.length === 0
      ? nothing
      : html`<ul class=${`attachments pictures ${columnsFor(pictures.length)}`} part="attachments" role="list" aria-label=${label}>
          ${pictures.map((_, at) => html`<li>${picture(host, pictures, at)}</li>`)}
        </ul>`
  }
  ${
    files.length === 0
      ? nothing
      : html`<ul class="attachments documents" part="attachments" role="list" aria-label=${label}>
          ${files.map((each) => html`<li>${file(host, each)}</li>`)}
        </ul>`
  }`;
}

function isPicture(file: Attachment): file is Omit<Picture, 'address'> {
  const { width, height, thumbnail_url: picture } = file;
  return width !== undefined && height !== undefined && picture !== undefined;
}

/** Rows are full with two pictures, or four. */
const columnsFor = (count: number) => (count === 1 ? 'one' : count === 2 || count === 4 ? 'two' : 'three');

function picture(host: CommentsHost, all: readonly Picture[], at: number): TemplateResult {
  const { width, height, thumbnail_url: small, preview_url: large, name, address } = all[at] as Picture;
  const fit = all.length > 1 ? 1 : Math.min(1, widthMax / width, heightMax / height);
  const widthIn = (side: number) => Math.round(width * Math.min(1, side / Math.max(width, height)));
  const sources = `${small} ${widthIn(thumbnailSide)}w${large === undefined ? '' : `, ${large} ${widthIn(previewSide)}w`}`;
  const image = html`<img src=${small} srcset=${sources} sizes=${`${all.length > 1 ? cellMax : Math.round(width * fit)}px`} alt=${name} width=${Math.round(width * fit)} height=${Math.round(height * fit)} loading="lazy">`;
  const enlarge = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const { enlarged } = await import('./enlarged.ts');
      enlarged(host, all, at);
    } catch {
      host.explain();
    }
  };
  return address === undefined
    ? image
    : html`<a href=${address} target="_blank" rel="noopener noreferrer" aria-haspopup="dialog" @click=${enlarge}>${image}</a>`;
}

function file(host: CommentsHost, shown: Attachment): TemplateResult {
  const { name, kind, size } = shown;
  const address = addressOf(shown);
  const content = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${`${page}${marks[kind] ?? ''}`}></path></svg
    ><span dir="auto">${name}</span>${size === 0 ? nothing : html`<span class="quiet">${sizeIn(host.language, size)}</span>`}`;
  return address === undefined
    ? html`<span class="document">${content}</span>`
    : html`<a class="document" href=${address} target="_blank" rel="noopener noreferrer">${content}</a>`;
}

/** The sheet that stands for a file, and what is on it for each kind, on a field of 16 by 16. */
const page = 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3';
const lines = 'M5.5 7.5h5M5.5 9.5h5M5.5 11.5h3';
const marks: Readonly<Record<string, string>> = {
  archive: 'M7 3v1.5M8 5v1.5M7 7v1.5M6.5 10h2v2.5h-2z',
  audio: 'M6 12V7.5l4-1V11M6 12h-1M10 11h-1',
  code: 'M6.5 7.5 5 9.5l1.5 2M9.5 7.5 11 9.5l-1.5 2',
  document: lines,
  email: 'M5 7.5h6v4H5zM5 7.5l3 2.5 3-2.5',
  image: 'M5 12l2.2-3 1.6 1.8 1-1.2L11 12zM9.5 7.5h.01',
  presentation: 'M5 7.5h6v4H5zM8 11.5v1.5',
  spreadsheet: 'M5 7.5h6v4.5H5zM5 9.7h6M7.5 7.5V12',
  text: lines,
  video: 'M6.5 7.5v4.5l4-2.2z',
};

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in bytes as a reader says it. */
function sizeIn(language: string, size: number): string {
  const power = Math.min(Math.floor(Math.log10(size) / 3), units.length - 1);
  const unit = units[power] ?? 'byte';
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(size / 1000 ** power);
}

/** Where an attachment can be seen. */
function addressOf({ preview_url, download_url, external_url }: Attachment): string | undefined {
  return safeAddress(preview_url ?? download_url ?? external_url);
}

/** An address of the web; undefined for any other, which could run a script. */
export function safeAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address) ? address : undefined;
}
