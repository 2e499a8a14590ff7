import type { Block, Structure, TableBlock } from '#contracts/structure.js';

/** Maximum number of columns that are readable side by side on a page. */
const MAX_COLUMNS = 16;
/** Columns per part of a wide table, including the table's first column. */
const PART_COLUMNS = 10;

/** Part of a table, with its 1-based range of columns. */
export interface TablePart {
  table: TableBlock;
  first: number;
  last: number;
  all: number;
}

/** Splits a table too wide for a page into parts below each other, each with the table's first column. */
export function tableParts(table: TableBlock): TablePart[] {
  const all = table.align.length;
  if (all <= MAX_COLUMNS) return [{ table, first: 1, last: all, all }];
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

/** Position of a wide table, and the number of parts into which it is split. */
export interface WideTable {
  line: number;
  columns: number;
  parts: number;
}

/** Returns all tables of a document that are too wide for a page. */
export function wideTables({ blocks }: Structure): WideTable[] {
  return tablesOf(blocks)
    .filter(({ align }) => align.length > MAX_COLUMNS)
    .map((table) => ({ line: table.line, columns: table.align.length, parts: tableParts(table).length }));
}

function tablesOf(blocks: readonly Block[]): TableBlock[] {
  return blocks.flatMap((block) => {
    if (block.type === 'table') return [block];
    if (block.type === 'list') return tablesOf(block.items.flatMap((item) => item.blocks));
    return 'blocks' in block ? tablesOf(block.blocks) : [];
  });
}
