import { termsOf } from '../tools/retrieval/terms.js';

/** A table among the inputs, by the line that names its columns. */
interface Table {
  file: string;
  columns: string[];
}

/** Totals that a part of a request asks for. */
export interface Totals {
  file: string;
  function: 'sum' | 'average' | 'min' | 'max';
  column: string;
  group_by: string[];
}

const FUNCTIONS: [Totals['function'], string][] = [
  ['average', 'average mean'],
  ['sum', 'sum total'],
  ['min', 'minimum lowest smallest least cheapest'],
  ['max', 'maximum highest largest most biggest'],
];
const WORDS = new Map(
  FUNCTIONS.flatMap(([kind, words]) => termsOf(words).map((term) => [term, kind] as const)),
);
/** Words before the columns of the groups. */
const GROUPING = /\b(?:per|by|for each|for every|of each|in each|grouped by)\b/i;
/** Words that do not ask for anything else. */
const FILLERS = new Set(
  termsOf(
    'compute calculate determine find give show tell me get what work out add up value values column table file csv rows all overall from into each group',
  ),
);

/** Returns the columns of an input that begins as CSV or TSV; null for other files. */
export function tableOf(file: string, beginning: string | null): Table | null {
  if (beginning === null || !/\.(?:csv|tsv)$/i.test(file)) return null;
  const [head = ''] = beginning.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const delimiter = ['\t', ';', '|'].find((mark) => head.includes(mark)) ?? ',';
  const columns = head.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return columns.includes('') || columns.length < 2 ? null : { file, columns };
}

/**
 * Reads a request such as "the average value per kind". Every word must be understood: the function, columns of
 * one table, names of files, or fillers.
 *
 * @param named files that the request names
 * @param known terms of the names of files
 * @returns null if the part asks for something else, or could mean several columns or tables
 */
export function totalsIn(
  part: string,
  tables: readonly Table[],
  named: readonly string[],
  known: ReadonlySet<string>,
): Totals | null {
  const [wanted = '', ...groups] = part.split(GROUPING);
  // "How is the total computed?" does not ask for the total.
  if (/\bhow\b/i.test(part)) return null;
  const kinds = new Set(termsOf(wanted).flatMap((term) => WORDS.get(term) ?? []));
  const [kind] = kinds;
  if (kinds.size !== 1 || !kind || groups.length > 1) return null;
  const candidates = tables.filter(({ file }) => named.length === 0 || named.includes(file));
  const found = candidates.flatMap((table) => {
    const columns = columnsIn(wanted, table, known);
    const group_by = groups[0] === undefined ? [] : columnsIn(groups[0], table, known);
    if (columns?.length !== 1 || !group_by || (groups.length === 1 && group_by.length === 0)) return [];
    return [{ file: table.file, function: kind, column: columns[0]!, group_by }];
  });
  return found.length === 1 ? found[0]! : null;
}

/** Returns the columns that a text names; null if it has a word that is not understood. */
function columnsIn(text: string, { columns }: Table, known: ReadonlySet<string>): string[] | null {
  const terms = new Set(termsOf(text));
  const named = columns.filter((column) => {
    const own = termsOf(column);
    return own.length > 0 && own.every((term) => terms.has(term));
  });
  const ofColumns = new Set(named.flatMap(termsOf));
  const isUnderstood = (term: string) =>
    ofColumns.has(term) || WORDS.has(term) || FILLERS.has(term) || known.has(term);
  return [...terms].every(isUnderstood) ? named : null;
}
