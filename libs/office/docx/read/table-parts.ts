import type { DocxTable } from './types.js';

/** Parses which columns of a table a part shows, from its description. */
export function readPart(description: string): DocxTable['part'] {
  const [, first, last] = /^columns (\d+)-(\d+) of \d+$/.exec(description) ?? [];
  return first === undefined ? null : { first: Number(first), last: Number(last) };
}

/**
 * Appends the next part to a table, without the first column, which every part repeats; returns false if it
 * is not the next part.
 */
export function joinParts(table: DocxTable, next: DocxTable): boolean {
  if (!table.part || !next.part || table.part.last + 1 !== next.part.first) return false;
  if (table.rows.length !== next.rows.length) return false;
  table.rows.forEach((row, i) => row.push(...(next.rows[i]?.slice(1) ?? [])));
  table.align.push(...next.align.slice(1));
  table.columns += next.columns - 1;
  table.part.last = next.part.last;
  table.text = table.rows.map((row) => row.join('\t')).join('\n');
  table.links.push(...next.links);
  table.images.push(...next.images);
  table.notes.push(...next.notes);
  table.formulas.push(...next.formulas);
  table.marked.push(...next.marked);
  return true;
}
