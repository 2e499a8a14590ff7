/** Draws docs/images/incident.png: three pages of the Word file of the example, as LibreOffice shows them. */
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import sharp from 'sharp';

const PAGES = [3, 4, 6];
const DOTS_PER_INCH = 96;
const MARGIN = 8;

/**
 * Converts a Word file to PDF and returns the path. Requires `soffice`.
 *
 * @param folder empty folder for the PDF and the profile of LibreOffice
 */
export function pdfOf(docx, folder) {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const convert = ['--headless', '--convert-to', 'pdf', '--outdir', folder, docx];
  execFileSync('soffice', [profile, ...convert], { stdio: 'ignore' });
  return join(folder, `${basename(docx, '.docx')}.pdf`);
}

/** Returns the pages of a PDF side by side as PNG. Requires `pdftoppm`. */
export async function drawWordPages(pdf) {
  const pages = PAGES.map((page) => {
    const range = ['-f', `${page}`, '-l', `${page}`];
    return execFileSync('pdftoppm', ['-png', '-r', `${DOTS_PER_INCH}`, ...range, pdf], {
      maxBuffer: 2 ** 26,
    });
  });
  const { width, height } = await sharp(pages[0]).metadata();
  return sharp({
    create: {
      width: PAGES.length * (width + MARGIN) + MARGIN,
      height: height + 2 * MARGIN,
      channels: 3,
      background: '#d8dbda',
    },
  })
    .composite(pages.map((input, index) => ({ input, left: MARGIN + index * (width + MARGIN), top: MARGIN })))
    .png()
    .toBuffer();
}
