import { oneLine, singleSpaced } from '#contracts/text.js';
import { addressOf, writeCells } from '../cell-table.js';
import { escapeInline } from '#markdown/escape.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { DocumentText } from '../document-text.js';
import { damaged } from '../errors.js';
import { PackageMedia } from '../ooxml/media.js';
import { OfficePackage } from '../ooxml/package.js';
import { ShapeReader } from '../ooxml/shape-reader.js';
import { readXml } from '../xml.js';
import { Sheet, type WorkbookContext } from './sheet.js';
import { readStrings, readStyles, readWorkbook, RichText, type SheetEntry } from './workbook.js';
import { chosenSheet, rowsOf, type Grid } from '../grid.js';

/**
 * Returns the values of a sheet of an Excel workbook. Cells that merged cells cover are left out.
 *
 * @param wanted name of the sheet, by default the first visible one
 * @returns the names of the sheets if there is no such one
 * @throws ExtractionError for a damaged or oversized file
 */
export function xlsxGrid(bytes: Uint8Array, fileName: string, wanted?: string): Grid | string[] {
  const parts = new OfficePackage(bytes, fileName, 'xl/workbook.xml');
  try {
    const { sheets, is1904 } = readWorkbook(parts.text(parts.main)!);
    const names = sheets.map(({ name }) => name);
    const visible = sheets.filter(({ isHidden }) => !isHidden);
    const chosen = chosenSheet(wanted === undefined && visible.length > 0 ? visible : sheets, wanted);
    const path = parts.relationships.get(chosen?.id ?? '')?.target ?? '';
    const xml = parts.text(path);
    if (!chosen || xml === null) return names;
    const strings = readStrings(parts.related('sharedStrings'));
    const styles = readStyles(parts.related('styles'));
    const { cells, omitted } = new Sheet(xml, { strings, styles, is1904 }, parts.relationshipsOf(path));
    const hidden = ['hidden row', 'hidden column', 'hidden value'].flatMap((why) => omitted.get(why) ?? []);
    return { sheet: chosen.name, sheets: names, rows: rowsOf([...cells, ...hidden]), hidden: hidden.length };
  } catch (error) {
    throw damaged(fileName, error);
  }
}

/** Heading level of sheets. The document's heading is the file's. */
const SHEET_LEVEL = 2;
/**
 * Returns the text of an Excel workbook as Markdown: each sheet below its name, its cells as a table with their text as displayed, then its text
 * boxes, charts and pictures. Comments name what is omitted: hidden sheets, rows and columns, comments, choices and messages of cells, headers and
 * footers.
 *
 * @throws ExtractionError for a damaged or oversized file
 */
export function xlsxText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const parts = new OfficePackage(bytes, fileName, 'xl/workbook.xml');
  try {
    const { sheets, is1904 } = readWorkbook(parts.text(parts.main)!);
    const strings = readStrings(parts.related('sharedStrings'));
    const styles = readStyles(parts.related('styles'));
    const reader = new WorkbookReader(parts, new PackageMedia(bytes, fileName, images), {
      strings,
      styles,
      is1904,
    });
    // A small file may name a sheet thousands of times, which no valid file does.
    const first = new Map(sheets.toReversed().map((sheet) => [sheet.id, sheet]));
    for (const sheet of sheets) if (first.get(sheet.id) === sheet) reader.read(sheet);
    return reader.text.take();
  } catch (error) {
    throw damaged(fileName, error);
  }
}

class WorkbookReader {
  readonly text = new DocumentText();

  constructor(
    private readonly parts: OfficePackage,
    private readonly media: PackageMedia,
    private readonly workbook: WorkbookContext,
  ) {}

  read({ name, id, isHidden }: SheetEntry): void {
    const path = this.parts.relationships.get(id)?.target ?? '';
    const xml = this.parts.text(path);
    if (xml === null) return;
    const relationships = this.parts.relationshipsOf(path);
    const sheet = new Sheet(xml, this.workbook, relationships);
    const shapes = sheet.drawings.flatMap((drawing) =>
      this.shapesOf(relationships.get(drawing)?.target ?? ''),
    );
    const comments = [...relationships.values()]
      .filter(({ type }) => type === 'comments')
      .flatMap(({ target }) => this.commentsOf(target));
    const pageTexts = [
      ...sheet.cellHints,
      ...sheet.pageTexts.map(({ what, text }) => ({ what, text: pageWords(text) })),
    ];
    if (isHidden) {
      const words = [...sheet.cells, ...[...sheet.omitted.values()].flat(), ...shapes].map(
        ({ plain }) => plain,
      );
      const rest = [...comments, ...pageTexts.map(({ text }) => text)];
      this.text.leaveOut('hidden sheet', [`${name}:`, ...words, ...rest].join(' '));
      return;
    }
    this.text.heading(SHEET_LEVEL, [escapeInline(singleSpaced(name))]);
    writeCells(this.text, sheet.cells);
    for (const { text, plain, isHidden: hidden } of shapes)
      if (hidden) this.text.leaveOut('hidden shape', plain);
      else this.text.append(text);
    for (const [what, cells] of sheet.omitted)
      this.text.leaveOut(
        what,
        cells.map(({ row, column, plain }) => `${addressOf(row, column)} ${plain}`).join('; '),
      );
    for (const words of comments) this.text.leaveOut('comment', words);
    for (const { what, text } of pageTexts) this.text.leaveOut(what, text);
  }

  private shapesOf(path: string) {
    const xml = this.parts.text(path);
    return xml === null
      ? []
      : new ShapeReader(this.parts, this.media, this.parts.relationshipsOf(path)).read(xml);
  }

  /** Returns each comment with the cell that it is about. */
  private commentsOf(path: string): string[] {
    const found: string[] = [];
    const rich = new RichText();
    let reference = '';
    readXml(this.parts.text(path) ?? '<none/>', {
      open: (name, attributes) => {
        if (name === 's:comment') reference = attributes['ref'] ?? '';
        rich.open(name, attributes['val'] ?? '');
      },
      text: (text) => rich.text(text),
      close: (name) => {
        rich.close(name);
        if (name === 's:comment') found.push(`${reference} ${rich.take().plain}`);
      },
    });
    return found;
  }
}

/** Returns the words of a header or footer without the codes for fonts, colours, pictures and fields. */
const pageWords = (text: string): string =>
  oneLine(
    text.replace(/&(?:&|"[^"]{0,200}"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d{1,3}|[A-Za-z])/g, (code) =>
      code === '&&' ? '&' : ' ',
    ),
  );
