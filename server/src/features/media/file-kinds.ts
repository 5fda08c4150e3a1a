import { extensionOf } from './file-name.ts';

/**
 * The kind of a file by the extension of its name. Existing clients guess with the same tables during an upload, so a
 * different answer would change what they show.
 */
const kinds = {
  archive: '7z zip',
  audio: 'aac aif aiff au gsm m4a mid midi mka mp3 oga ogg ra ram snd spx wav wma',
  code: 'c cgi cpp cs cshtml css html java js json less php pl ps1 py rb rs scss sh swift sql ts xml yaml yml',
  document: 'doc docm docx dotm dotx gdoc pages pdf',
  email: 'eml msg',
  presentation: 'gslides keynote ppt pptm pptx potx',
  spreadsheet: 'gsheet numbers xls xlsm xlsx xltx',
  image: 'ai apng bmp emf eps gif heic ico jpg jpeg png psd svg tif tiff webp wmf',
  text: 'md markdown txt',
  video: '3g2 asx asf avi flv mk3d mkv mov mp4 mpeg mpg ogm ogv ogx qt rm rv smi smil swf webm wmv xaml',
} as const;

/** The kind of a file; `file` is anything that no table lists. */
export type FileKind = keyof typeof kinds | 'file';

/** How a file can be shown without being converted. */
export type PreviewFormat = 'image' | 'code' | 'text' | 'audio' | 'video' | 'pdf' | 'embed' | 'none';

// Source code that can be shown, in addition to the kind `code`.
const codePreviews =
  'asm aspx bash bat cc clj cmd coffee conf config cxx dart diff dockerfile erl ex exs fs go gradle groovy h hpp hs htm ini jsp jsx kt lua m mjs pas patch properties ps psm1 r sass scala svelte tex toml tsx vb vbs vim vue xhtml xsd xsl zsh';

const kindByExtension = new Map<string, FileKind>(
  Object.entries(kinds).flatMap(([kind, list]) =>
    list.split(' ').map((extension): [string, FileKind] => [extension, kind as FileKind]),
  ),
);

const codeExtensions = new Set([...kinds.code.split(' '), ...codePreviews.split(' ')]);

// Further images that every browser shows in an `img`, by their media types; they are shown unchanged.
const shownImages = new Set(['image/bmp', 'image/x-icon']);

// Images that can be shrunk.
const shrunkImages = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * The largest picture that is decoded: its area in pixels, and its longest side. Phone cameras stay below both. The side
 * matters because a decoder holds whole rows: 700,000 × 70 pixels took 1.9 GiB, while no picture within both limits takes
 * more than 650 MiB (decision 0036).
 */
export const decodedMax = { pixels: 50_000_000, side: 16_384 } as const;

/** The facts about a blob that decide how it can be shown. */
export type KindFacts = {
  readonly name: string;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly provider: string | null;
  readonly embed: string | null;
};

/** Whether a blob is a picture that can be shrunk, by its first bytes. */
export function isShrinkable(blob: Omit<KindFacts, 'name' | 'embed'>): boolean {
  if (blob.provider !== null || !shrunkImages.has(blob.mediaType)) return false;
  const { width, height } = blob;
  if (width === null || height === null) return false;
  return width * height <= decodedMax.pixels && Math.max(width, height) <= decodedMax.side;
}

/** Whether a blob has a thumbnail; its name must be that of a picture as well. */
export function hasThumbnail(blob: KindFacts): boolean {
  return isShrinkable(blob) && previewFormatOf(blob) === 'image';
}

/** The kind of a file by its name. */
export function kindOf(name: string): FileKind {
  return kindByExtension.get(extensionOf(name)) ?? 'file';
}

/** Whether a file with this name may be a text; also true without an extension. */
export function isTextName(name: string): boolean {
  const extension = extensionOf(name);
  return extension === '' || textExtensions.has(extension) || codeExtensions.has(extension);
}

const textExtensions = new Set('txt md markdown csv tsv log srt vtt ics vcf'.split(' '));

/**
 * How a file can be shown. The name suggests and the bytes decide: a file that only has the name of an image, an image
 * too large to be decoded, and an SVG, which may run scripts, have no preview. Only its provider can show a file stored
 * elsewhere.
 */
export function previewFormatOf(blob: KindFacts): PreviewFormat {
  const { name, mediaType } = blob;
  if (blob.provider !== null) return blob.embed === null ? 'none' : 'embed';
  const extension = extensionOf(name);
  const kind = kindOf(name);
  if (kind === 'image') {
    if (shrunkImages.has(mediaType)) return isShrinkable(blob) ? 'image' : 'none';
    return shownImages.has(mediaType) ? 'image' : 'none';
  }
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json';
  if (codeExtensions.has(extension)) return isText ? 'code' : 'none';
  if (kind === 'text') return isText ? 'text' : 'none';
  if (kind === 'audio') return /^(?:audio|video)\//.test(mediaType) ? 'audio' : 'none';
  if (kind === 'video') return mediaType.startsWith('video/') ? 'video' : 'none';
  return extension === 'pdf' && mediaType === 'application/pdf' ? 'pdf' : 'none';
}
