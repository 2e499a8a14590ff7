import { strToU8, zipSync } from 'fflate';

/** Relationships of a part: ID, type and target of each. */
type Links = [id: string, type: string, target: string][];

const NAMESPACES =
  'xmlns:s="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ' +
  'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** Returns an XML part with the usual prefixes of Office files. */
export const officePart = (root: string, content: string): string =>
  `<?xml version="1.0"?><${root} ${NAMESPACES}>${content}</${root}>`;

/** Returns the relationships of a part; targets with a scheme are external. */
export const officeLinks = (links: Links): string =>
  `<Relationships>${links
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

/** Returns a ZIP file with these parts. */
export const zipFile = (parts: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );

/** Returns an Excel workbook with one sheet. @param sheet XML of the sheet @param more further parts; they replace default parts by name */
export const excelFile = (sheet: string, more: Record<string, string | Uint8Array> = {}): Uint8Array =>
  zipFile({
    'xl/workbook.xml': officePart('s:workbook', '<s:sheets><s:sheet name="One" r:id="rId1"/></s:sheets>'),
    'xl/_rels/workbook.xml.rels': officeLinks([['rId1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': officePart('s:worksheet', sheet),
    ...more,
  });

/** Returns a PowerPoint presentation. @param slides XML of the shapes of each slide */
export const powerPointFile = (
  slides: readonly string[],
  more: Record<string, string | Uint8Array> = {},
): Uint8Array =>
  zipFile({
    'ppt/presentation.xml': officePart(
      'p:presentation',
      `<p:sldIdLst>${slides.map((_, index) => `<p:sldId r:id="rId${index + 1}"/>`).join('')}</p:sldIdLst>`,
    ),
    'ppt/_rels/presentation.xml.rels': officeLinks(
      slides.map((_, index) => [`rId${index + 1}`, 'slide', `slides/slide${index + 1}.xml`]),
    ),
    ...Object.fromEntries(
      slides.map((slide, index) => [`ppt/slides/slide${index + 1}.xml`, officePart('p:sld', slide)]),
    ),
    ...more,
  });

const ODF = 'office text table style drawing presentation form'
  .split(' ')
  .map(
    (name) =>
      `xmlns:${name === 'drawing' ? 'draw' : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  .join(' ');

/** Returns a part of an OpenDocument file with the usual prefixes. */
export const odfPart = (root: string, content: string): string =>
  `<?xml version="1.0"?><office:${root} ${ODF} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
  `xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">${content}</office:${root}>`;

/**
 * Returns an OpenDocument file.
 *
 * @param kind of the body: `text`, `spreadsheet` or `presentation`
 * @param body XML
 * @param styles XML of the automatic styles
 */
export const odfFile = (
  kind: string,
  body: string,
  styles = '',
  more: Record<string, string | Uint8Array> = {},
): Uint8Array =>
  zipFile({
    'content.xml': odfPart(
      'document-content',
      `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`,
    ),
    ...more,
  });
