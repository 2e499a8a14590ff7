import type { DocxTable } from './types.js';

/** Which columns a part of a table shows, by its description. */
export function readPart(description: string): DocxTable['part'] {
  const [, first, last] = /^columns (\d+)-(\d+) of \d+$/.exec(description) ?? [];
  return first === undefined ? null : { first: Number(first), last: Number(last) };
}

/** Puts the next part of a table beside what is known of it, without the first column, which each part repeats; false when it is none. */
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
