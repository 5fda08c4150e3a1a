import type { ChosenFile } from 'confab-testing/browser/picture-file.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';

/** PDFs of one page, and what of them is seen. */

/** A red square of 32 pixels in JPEG 2000, as `opj_compress` of OpenJPEG 2.5 writes it. */
const jpeg2000 = Buffer.from(
  '/0//UQAvAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEBBQQEAAH/XAATQEBISFBISFBISFBISFBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAoAAH/k8fUBAl3gN+AEALfgICAgICAgICAgICAgICA/9k=',
  'base64',
).toString('latin1');

/** A PDF with a line of text, in a font that the reader has to bring. */
export function pdfOfText(name: string, line: string): ChosenFile {
  return pdf(name, {
    content: `BT /F1 24 Tf 20 60 Td (${line}) Tj ET`,
    resources: '/Font << /F1 5 0 R >>',
    resource: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  });
}

/** A PDF with a red picture in JPEG 2000 on all of its page. */
export function pdfOfPicture(name: string): ChosenFile {
  return pdf(name, {
    content: 'q 300 0 0 120 0 0 cm /I1 Do Q',
    resources: '/XObject << /I1 5 0 R >>',
    resource: `<< /Type /XObject /Subtype /Image /Width 32 /Height 32 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /JPXDecode /Length ${jpeg2000.length} >>\nstream\n${jpeg2000}\nendstream`,
  });
}

function pdf(
  name: string,
  { content, resources, resource }: { content: string; resources: string; resource: string },
): ChosenFile {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 120] /Contents 4 0 R /Resources << ${resources} >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    resource,
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  const header = '%PDF-1.5\n';
  const startOf = (index: number) => header.length + objects.slice(0, index).join('').length;
  const places = objects.map((_, index) => `${String(startOf(index)).padStart(10, '0')} 00000 n \n`);
  const count = objects.length + 1;
  const text = `${header}${objects.join('')}xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${startOf(objects.length)}\n%%EOF`;
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(text, 'latin1') };
}

/** Waits until the page of a PDF has more than 100 pixels that are dark, or red. */
export async function drawnPdf(page: Page, ink: 'dark' | 'red'): Promise<void> {
  const canvas = page.locator('wy-pdf-viewer canvas').first();
  await canvas.waitFor();
  await poll(`a page with ${ink} pixels`, async () => {
    const count = await canvas.evaluate((element: any, isRed) => {
      const { data } = element.getContext('2d').getImageData(0, 0, element.width, element.height);
      let pixels = 0;
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 1] < 100 && data[at] > 150 === isRed && data[at + 3] > 200) pixels += 1;
      return pixels;
    }, ink === 'red');
    return count > 100 || undefined;
  });
}
