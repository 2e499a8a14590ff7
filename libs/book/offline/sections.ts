import { stems } from '#verbatim/source/stems.js';
import { countWords } from '#writing/words.js';
import type { Passage } from '../graph/texts.js';

/** Passages of one source under one heading; the offline writer does not split them. */
export interface SourceSection {
  title: string;
  source_id: string;
  source_title: string;
  passages: Passage[];
  words: number;
  weight: number;
  /** Stems with their number of occurrences in the section. */
  terms: Map<string, number>;
}

/** Returns the title of the section to which a passage belongs. */
export const sectionTitleOf = ({ heading_path: path, source_title: source }: Passage): string =>
  path[1] ?? path[0] ?? source;

/** Returns the sections of the sources, in the order of the passages. */
export function sectionsOf(passages: Passage[]): SourceSection[] {
  const sections: SourceSection[] = [];
  for (const passage of passages) {
    const title = sectionTitleOf(passage);
    const last = sections.at(-1);
    const open = last?.source_id === passage.source_id && last.title === title ? last : null;
    if (open) open.passages.push(passage);
    else
      sections.push({
        title,
        source_id: passage.source_id,
        source_title: passage.source_title,
        passages: [passage],
        words: 0,
        weight: passage.weight,
        terms: new Map(),
      });
  }
  for (const section of sections) {
    const text = section.passages.map((passage) => passage.text).join('\n');
    section.words = countWords(text);
    for (const paragraph of text.split('\n'))
      for (const stem of stems(paragraph)) section.terms.set(stem, (section.terms.get(stem) ?? 0) + 1);
  }
  return sections.filter(({ words }) => words > 0);
}

/** Returns the term weights of each section (TF-IDF), normalised to unit length. */
export function vectorsOf(sections: SourceSection[]): Map<string, number>[] {
  const sectionsWith = new Map<string, number>();
  for (const { terms } of sections)
    for (const term of terms.keys()) sectionsWith.set(term, (sectionsWith.get(term) ?? 0) + 1);
  return sections.map(({ terms }) => {
    const weights = [...terms].map(([term, count]): [string, number] => [
      term,
      (1 + Math.log(count)) * Math.log(1 + sections.length / (sectionsWith.get(term) as number)),
    ]);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(weights.map(([term, weight]) => [term, weight / length]));
  });
}

/** Returns the cosine of two vectors, 0…1. */
export function similarity(a: Map<string, number>, b: Map<string, number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}
