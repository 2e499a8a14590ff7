import { strToU8, zipSync } from 'fflate';

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Escapes text for XML. */
export function xmlText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Returns a paragraph of a Word document; `text` and `properties` are XML. */
export function wordParagraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** Returns a Word document with the XML of its body. `more` contains further parts: `numbering` is wrapped, others stay unchanged. */
export function wordFile(body: string, more: Record<string, string | Uint8Array> = {}): Uint8Array {
  const parts = Object.entries(more).map(([name, content]) => [
    name,
    typeof content === 'string' ? strToU8(content) : content,
  ]);
  return zipSync({
    'word/document.xml': strToU8(
      `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`,
    ),
    ...(Object.fromEntries(parts) as Record<string, Uint8Array>),
  });
}

/** `word/numbering.xml` with one numbered list: list 1. */
export const WORD_NUMBERS = `<w:numbering ${W}><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;

/**
 * Returns a PDF with one page; `operators` draw its text, and `/X1 Do` in them draws the operators of `form`.
 *
 * @param boxes visible area of the page
 * @param annotations entries of fields, notes and stamps; `/N 8 0 R` refers to the drawing `look`, 200 by 20 points
 */
export function pdfFile(
  operators: string,
  {
    boxes = '/MediaBox [0 0 600 800]',
    form = '',
    annotations = [] as string[],
    look = '',
    font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    /** Objects that the other ones refer to; without annotations, the first one is number 9. */
    objects: others = [] as string[],
    /** Further entries of the catalog, of the page and of its resources. */
    catalog = '',
    page = '',
    resources = '',
    xObjects = '',
  } = {},
): Uint8Array {
  const stream = `BT /F1 12 Tf 20 750 Td ${operators} ET`;
  const fonts = `/Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R ${xObjects} >> >>`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm 7 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${page} ${boxes} /Contents 4 0 R ${fonts.replace(/>>$/, `${resources} >>`)} /Annots [${annotations.map((_, i) => `${i + 9} 0 R`).join(' ')}] >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    font,
    `<< /Type /XObject /Subtype /Form /BBox [-9999 -9999 9999 9999] /Matrix [1 0 0 1 0 -900] ${fonts.replace(/\/XObject.*/, '>>')} /Length ${form.length} >>\nstream\n${form}\nendstream`,
    '<< /Fields [] /DA (/F1 10 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >>',
    `<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] ${fonts} /Length ${look.length} >>\nstream\n${look}\nendstream`,
    ...annotations.map((entries) => `<< /Type /Annot ${entries} >>`),
    ...others,
  ];
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = out.length;
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return bytes(out);
}

/** Returns the operators that draw lines of text below each other. */
export function pdfLines(lines: string[]): string {
  return lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`).join(' ');
}
