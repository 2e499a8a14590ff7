import { countWhile } from '#contracts/count-while.js';
import { percentDecoded } from '#contracts/lenient.js';
import type { SourceStart } from '#office/structure/source-links.js';
import type { Ledger } from '#verbatim/ledger.js';
import { linesPerSourceLine } from '#verbatim/schema.js';

/** Matches a link to a line of a source. */
const LINE_LINK = /\]\(\/([^()\s#]{1,4000})#L(\d{1,9})/g;

/** Returns the first line of the manuscript that carries each source, and those that carry the lines to which a text links. */
export function sourceStarts({ files, runs }: Pick<Ledger, 'files' | 'runs'>, text: string): SourceStart[] {
  const linked = new Map<string, Set<number>>();
  for (const [, path = '', number] of text.matchAll(LINE_LINK)) {
    const name = percentDecoded(path);
    linked.set(name, (linked.get(name) ?? new Set()).add(Number(number)));
  }
  const sources = files.map(({ name }) => {
    const places: Record<number, number> = {};
    return { name, line: Infinity, places, wanted: Uint32Array.from(linked.get(name) ?? []).sort() };
  });
  for (const run of runs) {
    const source = sources[run.source]!;
    const { places, wanted } = source;
    source.line = Math.min(source.line, run.manuscript_line);
    for (let at = countWhile(wanted.length, (i) => wanted[i]! < run.line); at < wanted.length; at++) {
      const after = wanted[at]! - run.line;
      if (after >= run.count) break;
      places[wanted[at]!] ??= run.manuscript_line + after * linesPerSourceLine(run);
    }
  }
  return sources.flatMap(({ name, line, places }) => (line === Infinity ? [] : [{ name, line, places }]));
}
