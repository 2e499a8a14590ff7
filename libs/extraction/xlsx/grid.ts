import { damaged } from '../errors.js';
import { chosenSheet, rowsOf, type Grid } from '../grid.js';
import { OfficePackage } from '../ooxml/package.js';
import { Sheet } from './sheet.js';
import { readStrings, readStyles, readWorkbook } from './workbook.js';

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
