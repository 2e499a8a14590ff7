import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkCitations, type CitedPassage } from '#writing/citations.js';

const ROOT = fileURLToPath(new URL('../../../test/fixtures/honest/', import.meta.url));

/** What an invention states: a figure, a date, a name, a quotation, a cause or a superlative. */
type InventionKind = 'f' | 'd' | 'n' | 'q' | 'c' | 's';

/** A short source, sentences that restate or compute what it says, and inventions. */
export interface ParaphrasedSource {
  name: string;
  text: string;
  honest: string[];
  /** Sentences without facts of the source, which need no citation. */
  connecting: string[];
  invented: { kind: InventionKind; text: string }[];
}

/**
 * Reads sources: `# name`, the text, `+` before honest sentences, `=` before connecting ones, `-` and the kind before
 * inventions (a figure if left out). Honest sentences behind `~` are still reported and left out.
 */
export function paraphrasedSources(file: string): ParaphrasedSource[] {
  const blocks = readFileSync(ROOT + file, 'utf8')
    .split(/^# (?=(?:en|de|pl|fr|es) )/m)
    .filter((block) => block !== '');
  return blocks.map((block) => {
    const [name = '', ...body] = block.trim().split('\n');
    const first = body.findIndex((line) => /^[+~] /.test(line));
    const lines = body.slice(first);
    const behind = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    return {
      name,
      text: body.slice(0, first).join('\n'),
      honest: behind('+ '),
      connecting: behind('= '),
      invented: lines.flatMap((line) => {
        const [, kind, words] = /^-([fdnqcs]?) (.+)$/u.exec(line) ?? [];
        return words === undefined ? [] : [{ kind: (kind || 'f') as InventionKind, text: words }];
      }),
    };
  });
}

/** Returns a source as a passage that a text can cite. */
export const passageOf = (source: string, label = 's1'): CitedPassage => ({
  label,
  source_id: `src_${label}`,
  source_title: 'Notes',
  text: source,
  span: { start: 0, end: source.length },
  heading_path: [],
});

/** Returns the sentences of a text with findings; the text may cite the source as `s1`. */
export function flaggedIn(text: string, source: string): string[] {
  return checkCitations(text, [passageOf(source)]).findings.map(({ span }) =>
    text.slice(span?.start, span?.end),
  );
}

/** Returns a sentence that cites the source. */
export const cited = (sentence: string): string => `${sentence}[^s1]`;

/** Returns the inventions without a finding, each behind honest sentences about the same source. */
export function missedIn(
  { text, honest, invented }: ParaphrasedSource,
  note: '' | '[^s1]',
  kinds: readonly InventionKind[],
): string[] {
  return invented.flatMap(({ kind, text: sentence }) => {
    if (!kinds.includes(kind)) return [];
    const flagged = flaggedIn(`${honest.slice(0, 4).map(cited).join(' ')} ${sentence}${note}`, text);
    return flagged.some((words) => words.startsWith(sentence.slice(0, -1))) ? [] : [sentence];
  });
}

/** Kinds of which the rules have to find the inventions that cite a source. */
const FOUND_WHEN_CITED: readonly InventionKind[] = ['f', 'd', 'n', 'q'];
const ALL_KINDS: readonly InventionKind[] = [...FOUND_WHEN_CITED, 'c', 's'];

/**
 * Returns the inventions without a finding, and the number of all that the rules have to find: every kind without a
 * citation, figures, dates, names and quotations with one.
 */
export function missedOf(
  sources: ParaphrasedSource[],
  note: '' | '[^s1]',
): { misses: string[]; count: number } {
  const kinds = note === '' ? ALL_KINDS : FOUND_WHEN_CITED;
  const misses = sources.flatMap((source) => missedIn(source, note, kinds));
  const count = sources.flatMap(({ invented }) => invented).filter(({ kind }) => kinds.includes(kind)).length;
  return { misses, count };
}
