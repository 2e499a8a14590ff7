import { strToU8, zipSync } from 'fflate';

/** Words of a random file, by the part that shows them. Each word occurs once in the file. */
export interface FileWords {
  body: string[];
  heading: string;
  cells: string[];
  note: string;
  comment: string;
  header: string;
  box: string;
  deleted: string;
  field: string;
  raised: string;
}

const zip = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (...targets: [type: string, target: string][]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="r${index}" Type="${REL}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="' + REL + '"';
const p = (text: string, more = '') => `<w:p>${more}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** Writes a Word file with the words in their parts. */
export function docx({
  body,
  heading,
  cells,
  note,
  comment,
  header,
  box,
  deleted,
  field,
  raised,
}: FileWords): Uint8Array {
  const rows = [cells.slice(0, 2), cells.slice(2)].map(
    (row) => `<w:tr>${row.map((cell) => `<w:tc>${p(cell)}</w:tc>`).join('')}</w:tr>`,
  );
  const list = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="0"/><w:listEntry w:val="${field}"/></w:ddList></w:ffData></w:fldChar></w:r>`;
  const document = [
    p(heading, '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
    ...body.map((text) => p(text)),
    `<w:p><w:r><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${raised}</w:t></w:r></w:p>`,
    `<w:tbl>${rows.join('')}</w:tbl>`,
    `<w:p><w:r><w:pict><v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent>${p(box)}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`,
    `<w:p>${list}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="1"/></w:r><w:del w:id="9"><w:r><w:delText>${deleted}</w:delText></w:r></w:del></w:p>`,
    '<w:sectPr><w:headerReference w:type="default" r:id="r2"/></w:sectPr>',
  ];
  return zip({
    '_rels/.rels': relationships(['officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relationships(
      ['footnotes', 'footnotes.xml'],
      ['comments', 'comments.xml'],
      ['header', 'header1.xml'],
    ),
    'word/document.xml': `<w:document ${W}><w:body>${document.join('')}</w:body></w:document>`,
    'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="2">${p(note)}</w:footnote></w:footnotes>`,
    'word/comments.xml': `<w:comments ${W}><w:comment w:id="1">${p(comment)}</w:comment></w:comments>`,
    'word/header1.xml': `<w:hdr ${W}>${p(header)}</w:hdr>`,
  });
}

const ODF = 'office text table drawing style form presentation'
  .split(' ')
  .map(
    (name) =>
      `xmlns:${name === 'drawing' ? 'draw' : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  .join(' ');

/** Writes an OpenDocument text with the words in their parts. */
export function odt({
  body,
  heading,
  cells,
  note,
  comment,
  header,
  box,
  deleted,
  field,
}: FileWords): Uint8Array {
  const row = (texts: string[]) =>
    `<table:table-row>${texts.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`;
  const content = [
    `<text:tracked-changes><text:changed-region><text:deletion><text:p>${deleted}</text:p></text:deletion></text:changed-region></text:tracked-changes>`,
    `<text:h text:outline-level="1">${heading}</text:h>`,
    ...body.map((text) => `<text:p>${text}</text:p>`),
    `<table:table>${row(cells.slice(0, 2))}${row(cells.slice(2))}</table:table>`,
    `<text:p>x<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>${note}</text:p></text:note-body></text:note>`,
    `<office:annotation><text:p>${comment}</text:p></office:annotation><draw:frame><draw:text-box><text:p>${box}</text:p></draw:text-box></draw:frame></text:p>`,
    `<text:p>${field}</text:p>`,
  ];
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content ${ODF}><office:body><office:text>${content.join('')}</office:text></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${ODF}><office:master-styles><style:master-page><style:header><text:p>${header}</text:p></style:header></style:master-page></office:master-styles></office:document-styles>`,
  });
}

/** Writes an OpenDocument spreadsheet with the words in their parts. */
export function ods({ body, heading, cells, comment, header, box }: FileWords): Uint8Array {
  const cell = (text: string, more = '') =>
    `<table:table-cell><text:p>${text}</text:p>${more}</table:table-cell>`;
  const row = (content: string) => `<table:table-row>${content}</table:table-row>`;
  const note = `<office:annotation><text:p>${comment}</text:p></office:annotation>`;
  const rows = [
    ...[heading, ...body].map((text) => row(cell(text))),
    row(
      `${cell(cells[0]!, note)}<table:table-cell office:value-type="string" office:string-value="${cells[1]}"/>`,
    ),
    `<table:table-row table:visibility="collapse">${cell(cells[2]!)}${cell(cells[3]!)}</table:table-row>`,
  ];
  const shapes = `<table:shapes><draw:frame><draw:text-box><text:p>${box}</text:p></draw:text-box></draw:frame></table:shapes>`;
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content ${ODF}><office:body><office:spreadsheet><table:table table:name="Sheet1">${shapes}${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${ODF}><office:master-styles><style:master-page><style:header><style:region-left><text:p>${header}</text:p></style:region-left></style:header></style:master-page></office:master-styles></office:document-styles>`,
  });
}

/** Writes an OpenDocument presentation with the words in their parts. */
export function odp({ body, heading, cells, note, comment, header, box }: FileWords): Uint8Array {
  const frame = (content: string, more = '') => `<draw:frame${more}>${content}</draw:frame>`;
  const text = (words: string) => `<draw:text-box><text:p>${words}</text:p></draw:text-box>`;
  const row = (texts: string[]) =>
    `<table:table-row>${texts.map((each) => `<table:table-cell><text:p>${each}</text:p></table:table-cell>`).join('')}</table:table-row>`;
  const slides = [
    frame(text(heading), ' presentation:class="title"'),
    ...body.map((words) => frame(text(words))),
    frame(`<table:table>${row(cells.slice(0, 2))}${row(cells.slice(2))}</table:table>`),
    `<office:annotation><text:p>${comment}</text:p></office:annotation>`,
    `<presentation:notes>${frame(text(note), ' presentation:class="notes"')}</presentation:notes>`,
  ];
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'content.xml': `<office:document-content ${ODF}><office:body><office:presentation><presentation:footer-decl presentation:name="f">${header}</presentation:footer-decl><draw:page>${slides.join('')}</draw:page></office:presentation></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${ODF}><office:master-styles><style:master-page><draw:custom-shape><text:p>${box}</text:p></draw:custom-shape>${frame(text('Click to edit'), ' presentation:class="title" presentation:placeholder="true"')}</style:master-page></office:master-styles></office:document-styles>`,
  });
}

/** Writes an RTF file with the words in their parts. */
export function rtf({
  body,
  heading,
  cells,
  note,
  comment,
  header,
  box,
  deleted,
  field,
}: FileWords): Uint8Array {
  const coded = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0)}?`);
  const lines = [
    '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}}',
    `{\\header ${coded(header)}\\par}${coded(heading)}\\par`,
    ...body.map((text) => `${coded(text)}\\par`),
    `\\trowd ${cells.map((cell) => `\\intbl ${coded(cell)}\\cell`).join(' ')}\\row`,
    `\\pard a{\\footnote ${coded(note)}}{\\*\\annotation ${coded(comment)}}{\\deleted ${coded(deleted)}}\\par`,
    `{\\shp{\\*\\shpinst{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt ${coded(box)}\\par}}}`,
    `{\\field{\\*\\fldinst FORMTEXT}{\\fldrslt ${coded(field)}}}\\par}`,
  ];
  return strToU8(lines.join('\n'));
}

/** Writes an Excel workbook with the words in their parts. */
export function xlsx({ body, heading, cells }: FileWords): Uint8Array {
  const rows = [[heading], ...body.map((text) => [text]), cells];
  const sheet = rows.map(
    (row, index) =>
      `<row r="${index + 1}">${row.map((text, column) => `<c r="${'ABCD'[column]}${index + 1}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
  );
  const ns = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${REL}"`;
  return zip({
    '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
    'xl/_rels/workbook.xml.rels': relationships(['worksheet', 'worksheets/sheet1.xml']),
    'xl/workbook.xml': `<workbook ${ns}><sheets><sheet name="Sheet1" sheetId="1" r:id="r0"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${ns}><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  });
}

/** Writes a PowerPoint presentation with the words in their parts. */
export function pptx({ body, heading, note }: FileWords): Uint8Array {
  const ns = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${REL}"`;
  const shape = (texts: string[]) =>
    `<p:cSld><p:spTree><p:sp><p:txBody>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp></p:spTree></p:cSld>`;
  return zip({
    '_rels/.rels': relationships(['officeDocument', 'ppt/presentation.xml']),
    'ppt/_rels/presentation.xml.rels': relationships(['slide', 'slides/slide1.xml']),
    'ppt/presentation.xml': `<p:presentation ${ns}><p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst></p:presentation>`,
    'ppt/slides/_rels/slide1.xml.rels': relationships(['notesSlide', '../notesSlides/notesSlide1.xml']),
    'ppt/slides/slide1.xml': `<p:sld ${ns}>${shape([heading, ...body])}</p:sld>`,
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${ns}>${shape([note])}</p:notes>`,
  });
}

/** Writes an EPUB with one document. */
export const epub = (words: FileWords): Uint8Array =>
  zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/a.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'OEBPS/a.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><h1>${words.heading}</h1>${[...words.body, ...words.cells].map((text) => `<p>${text}</p>`).join('')}</body></html>`,
  });
