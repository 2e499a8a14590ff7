import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** Picture of a line in English, one in German and one in Polish. */
export const scannedLines = (): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../test/fixtures/scanned-lines.png'));

/** Words in the picture. */
export const SCANNED = [
  'The pump P2 stays off until Friday, 14 March 2025: 1.5 bar.',
  'Die Pumpe bleibt aus. Der Prüfer bestätigt die Größe von 640,25 mm.',
  'Pompa pozostaje wyłączona. Kierownik zażądał próby szczelności.',
];

/** Returns a photo without words. */
export const photo = (): Promise<Buffer> =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#9ab"/><circle cx="90" cy="120" r="70" fill="#c53"/><path d="M40 280L200 60L380 290Z" fill="#375"/></svg>',
    ),
  )
    .blur(2)
    .jpeg()
    .toBuffer();

/** Returns the picture as the scan of an upright page, or a strip of its rows. */
export async function scannedPage({ top = 0, height = 1_400 } = {}): Promise<Buffer> {
  const white = { top: 200, bottom: 930, background: '#fff' };
  const page = await sharp(await scannedLines())
    .extend(white)
    .png()
    .toBuffer();
  return sharp(page).extract({ left: 0, top, width: 1_000, height }).jpeg().toBuffer();
}

/** Returns a PDF whose pages have 600 by 840 points: each shows a text, or the pictures (JPEG) below each other. */
export async function pdfOfPages(pages: readonly (string | readonly Buffer[])[]): Promise<Uint8Array> {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const add = (object: string) => `${objects.push(object)} 0 R`;
  const stream = (entries: string, content: string) =>
    add(`<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`);
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const kids: string[] = [];
  for (const page of pages) {
    let content = typeof page === 'string' ? `BT /F1 12 Tf 50 700 Td (${page}) Tj ET` : '';
    let pictures = '';
    let bottom = 840;
    for (const picture of typeof page === 'string' ? [] : page) {
      const { width, height } = await sharp(picture).metadata();
      const size = `/Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
      const name = `/P${bottom}`;
      pictures += `${name} ${stream(`/Type /XObject /Subtype /Image ${size} /Filter /DCTDecode`, picture.toString('latin1'))} `;
      bottom -= (600 * height) / width;
      content += `q 600 0 0 ${(600 * height) / width} 0 ${bottom} cm ${name} Do Q `;
    }
    const resources = `<< /Font << /F1 ${font} >> /XObject << ${pictures}>> >>`;
    const drawn = stream('', content);
    kids.push(
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents ${drawn} /Resources ${resources} >>`,
      ),
    );
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(
    `%PDF-1.4\n${body}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF`,
    'latin1',
  );
}

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
/** Returns a Word paragraph that shows a picture by the ID of its relationship. */
export const pictureParagraph = (id: string): string =>
  `<w:p><w:r><w:drawing><a:blip xmlns:a="${DRAWING}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="${id}"/></w:drawing></w:r></w:p>`;
