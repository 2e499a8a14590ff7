import { stems } from '#verbatim/source/stems.js';
import { sectionTitle } from '#writing/compile-passages.js';
import { countWords } from '#writing/words.js';
import type { BookOutline, OutlineChapter } from '../contract/outline.js';
import type { BookProfile } from '../contract/profile.js';
import { factsIn } from '#writing/facts/facts.js';
import { minimumOf } from '../graph/checks.js';
import type { Passage } from '../graph/texts.js';

/** Maximum number of sections to group; larger sources get longer sections. */
const MAX_SECTIONS = 400;

/**
 * Derives an outline from the headings and terms of the sources: sections on similar topics form a chapter,
 * in the order of the sources. Each passage is in one chapter only (B12, B13). Deterministic.
 */
export function outlineFromSources(passages: Passage[], profile: BookProfile): BookOutline {
  const sections = sectionsOf(passages).slice(0, MAX_SECTIONS);
  if (sections.length === 0) return { synopsis: '', chapters: plainOutline(profile) };
  const words = sections.reduce((sum, section) => sum + section.words, 0);
  const wanted = profile.chapter_count ?? Math.max(1, Math.round(words / minimumOf(profile)));
  const groups = groupSections(sections, Math.min(wanted, sections.length));
  const titles = new Set<string>();
  const chapters = groups.map((group) => chapterOf(group, titles));
  const sources = [...new Set(sections.map((section) => section.source_title))];
  return { synopsis: `Compiled from ${sources.join(', ')}.`, chapters };
}

/** Returns empty chapters for the author to fill, for books without sources. */
function plainOutline(profile: BookProfile): OutlineChapter[] {
  const count = profile.chapter_count ?? 3;
  return Array.from({ length: count }, (_, i) => ({
    title:
      count > 2 && i === 0 ? 'Introduction' : count > 2 && i === count - 1 ? 'Conclusion' : `Part ${i + 1}`,
    summary: '',
    sections: [],
    terms: [],
  }));
}

/**
 * Merges the two most similar groups until `count` are left; prefers small ones, so that no chapter absorbs
 * the others.
 */
function groupSections(sections: SourceSection[], count: number): SourceSection[][] {
  const vectors = vectorsOf(sections);
  let groups = sections.map((section, i) => ({ members: [i], words: section.words }));
  const alike = vectors.map((a) => vectors.map((b) => similarity(a, b)));
  const total = sections.reduce((sum, { words }) => sum + words, 0);
  while (groups.length > count) {
    let best = { score: -1, a: 0, b: 1 };
    for (let a = 0; a < groups.length; a++)
      for (let b = a + 1; b < groups.length; b++) {
        const [one, two] = [groups[a] as Group, groups[b] as Group];
        const score = (0.05 + meanAlike(one, two, alike)) / (0.3 + ((one.words + two.words) * count) / total);
        if (score > best.score) best = { score, a, b };
      }
    const [one, two] = [groups[best.a] as Group, groups[best.b] as Group];
    const joined = {
      members: [...one.members, ...two.members].sort((x, y) => x - y),
      words: one.words + two.words,
    };
    groups = groups.filter((_, i) => i !== best.a && i !== best.b).concat(joined);
  }
  return groups
    .sort((a, b) => (a.members[0] as number) - (b.members[0] as number))
    .map(({ members }) => members.map((i) => sections[i] as SourceSection));
}

interface Group {
  members: number[];
  words: number;
}

function meanAlike(a: Group, b: Group, alike: number[][]): number {
  let sum = 0;
  for (const i of a.members) for (const j of b.members) sum += (alike[i] as number[])[j] as number;
  return sum / (a.members.length * b.members.length);
}

function chapterOf(group: SourceSection[], titles: Set<string>): OutlineChapter {
  const longest = [...group].sort((a, b) => b.weight * b.words - a.weight * a.words);
  const title = longest.map((section) => section.title).find((name) => !titles.has(name.toLowerCase()));
  const unique = (title ?? `${(longest[0] as SourceSection).title} (${titles.size + 1})`).slice(0, 300);
  titles.add(unique.toLowerCase());
  const text = group.flatMap(({ passages }) => passages.map((passage) => passage.text)).join('\n\n');
  const terms = factsIn(text).filter(({ value }) => value === null);
  const sources = [...new Set(group.map((section) => section.source_title))];
  return {
    title: unique,
    summary: `From ${sources.join(', ')}: ${group.map((section) => section.title).join('; ')}.`.slice(
      0,
      4_000,
    ),
    sections: group.slice(0, 40).map((section) => ({ title: section.title.slice(0, 300), points: [] })),
    terms: [...new Set(terms.map((fact) => fact.text.slice(0, 200)))].slice(0, 20),
    passages: group.flatMap((section) => section.passages.map(({ id }) => id)).slice(0, 400),
  };
}

/** Passages of one source under one heading; the offline writer does not split them. */
interface SourceSection {
  title: string;
  source_id: string;
  source_title: string;
  passages: Passage[];
  words: number;
  weight: number;
  /** Stems with their number of occurrences in the section. */
  terms: Map<string, number>;
}

/** Returns the sections of the sources, in the order of the passages. */
function sectionsOf(passages: Passage[]): SourceSection[] {
  const sections: SourceSection[] = [];
  for (const passage of passages) {
    const title = sectionTitle(passage);
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
function vectorsOf(sections: SourceSection[]): Map<string, number>[] {
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
function similarity(a: Map<string, number>, b: Map<string, number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}
