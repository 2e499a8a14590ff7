import type { Block, Structure, TableBlock } from './schema.js';

/** More columns than this cannot be read beside each other on a page. */
export const MOST_COLUMNS = 16;
/** Columns of a part of such a table, the first column of the table among them. */
const PART_COLUMNS = 10;

/** A part of a table, with the columns of the table that it shows, from 1. */
export interface TablePart {
  table: TableBlock;
  first: number;
  last: number;
  all: number;
}

/** A table that is too wide for a page in parts, one below the other; each begins with the table's first column. */
export function tableParts(table: TableBlock): TablePart[] {
  const all = table.align.length;
  if (all <= MOST_COLUMNS) return [{ table, first: 1, last: all, all }];
  const parts: TablePart[] = [];
  for (let at = 1; at < all; at += PART_COLUMNS - 1) {
    const pick = <Item>(items: readonly Item[]): Item[] => [
      ...items.slice(0, 1),
      ...items.slice(at, at + PART_COLUMNS - 1),
    ];
    const rows = table.rows.map(({ header, cells }) => ({ header, cells: pick(cells) }));
    const last = Math.min(all, at + PART_COLUMNS - 1);
    parts.push({
      table: { ...table, align: pick(table.align), rows },
      first: at === 1 ? 1 : at + 1,
      last,
      all,
    });
  }
  return parts;
}

/** Where such a table stands, and what becomes of it. */
export interface WideTable {
  line: number;
  columns: number;
  parts: number;
}

/** All tables of a document that no page is wide enough for. */
export function wideTables({ blocks }: Structure): WideTable[] {
  return tablesOf(blocks)
    .filter(({ align }) => align.length > MOST_COLUMNS)
    .map((table) => ({ line: table.line, columns: table.align.length, parts: tableParts(table).length }));
}

function tablesOf(blocks: readonly Block[]): TableBlock[] {
  return blocks.flatMap((block) => {
    if (block.type === 'table') return [block];
    if (block.type === 'list') return tablesOf(block.items.flatMap((item) => item.blocks));
    return 'blocks' in block ? tablesOf(block.blocks) : [];
  });
}
