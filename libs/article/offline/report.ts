import { oneLine } from '#contracts/text.js';
import { compilePassages, sectionTitle } from '#writing/compile-passages.js';
import { sentencesIn, withoutNotes } from '#writing/sentences.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { Heading } from '../contract/values.js';
import type { ResearchPassage, Section } from '../graph/state.js';

const SENTENCES = 2;
const MAX_SECTIONS = 8;
const MAX_TITLE = 300;

/** Returns the heading above a passage, or the title of its source. */
export const sectionOf = (passage: ResearchPassage): string =>
  oneLine(sectionTitle(passage)).slice(0, MAX_TITLE);

/** Derives headings from the sections of the passages, in the order found; the topic is the title. */
export function headingsFrom(topic: string, passages: ResearchPassage[]): Heading[] {
  const titles = [...new Set(passages.map(sectionOf))].filter((title) => title !== '' && title !== topic);
  return [
    { level: 1, title: topic.slice(0, MAX_TITLE) },
    ...titles.slice(0, MAX_SECTIONS).map((title) => ({ level: 2, title })),
  ];
}

/**
 * Compiles a research report without a model: quotes under each heading the first sentences of its passages,
 * each with its source. Passages found for no heading are at the end. Adds nothing else.
 */
export function compileReport(topic: string, headings: Heading[], passages: ResearchPassage[]): string {
  const parts = [`# ${topic}`];
  const listed = new Set<string>();
  for (const { level, title } of headings.filter(({ level }) => level > 1)) {
    const found = passages.filter(({ headings: of }) => of.includes(title));
    parts.push(`${'#'.repeat(level)} ${title}`, listOf(found));
    for (const { label } of found) listed.add(label);
  }
  const rest = listOf(passages.filter(({ label }) => !listed.has(label)));
  if (rest !== '') parts.push(...(listed.size > 0 ? ['---'] : []), rest);
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listOf(passages: ResearchPassage[]): string {
  return passages
    .flatMap(({ text, label }) => {
      const sentences = firstSentences(text);
      return sentences === '' ? [] : `- ${sentences}[^${label}]`;
    })
    .join('\n');
}

/** Returns the first sentences of a passage, on one line. */
export function firstSentences(text: string, count = SENTENCES): string {
  const prose = splitParagraphs(text).filter(({ kind }) => kind === 'paragraph');
  const sentences = sentencesIn(text, prose)
    .slice(0, count)
    .map((sentence) => oneLine(withoutNotes(sentence.text)));
  return sentences.join(' ');
}

const NOTHING = '*None of the sources speaks of this.*';

/**
 * Compiles an article without a model: quotes under each heading the passages found for it, with citations,
 * each passage once. Adds only the sources.
 */
export function compileArticle(title: string, sections: Section[], passages: ResearchPassage[]): string {
  const byLabel = new Map(passages.map((passage) => [passage.label, passage]));
  const used = new Set<string>();
  const parts = [`# ${title}`];
  for (const { heading, labels } of sections) {
    const free = labels.flatMap((label) => (used.has(label) ? [] : (byLabel.get(label) ?? [])));
    for (const { label } of free) used.add(label);
    const isCovered = labels.length > 0;
    const quoted = free.map((passage) => ({ ...passage, heading_path: [title, heading.title] }));
    const body = compilePassages(quoted)
      .replace(/^## .*\n\n/, '')
      .trimEnd();
    parts.push(`${'#'.repeat(heading.level)} ${heading.title}`);
    if (body !== '') parts.push(body);
    else if (!isCovered) parts.push(NOTHING);
  }
  return `${parts.join('\n\n')}\n`;
}
