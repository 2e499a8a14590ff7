import { oneLine } from '#contracts/text.js';
import { passagesBlock } from '#kit/graph/passages.js';
import { DATA_RULE, promptOf, tagged } from '#kit/graph/tagged.js';
import { isFiction } from '../graph/checks.js';
import type { BookSnapshot, OutlinedChapter } from '../graph/ports.js';
import type { ChapterText, Memory } from '../graph/texts.js';
import type { ChapterPlan, ChapterResearch, LabelledPassage } from '../graph/state.js';

/** The same for every operation on a chapter, so that prompts share their beginning. */
export const CHAPTER_SYSTEM = `You work on a book for the author described in <brief>, as its writer and its editor. Each request ends with one task.
${DATA_RULE}`;

/** Data for a chapter's operations, apart from the draft. */
export interface ChapterContext {
  book: BookSnapshot;
  chapter: OutlinedChapter;
  passages: LabelledPassage[];
  memory: Memory[];
  /** Null before the research, and in states of older releases. */
  research: ChapterResearch | null;
  plan: ChapterPlan | null;
  minimum: number;
  /** Passages of the sources of priority `tone-only`. */
  tone: string[];
}

/** Chapters around the one being written that a prompt shows, so that it stays as long in a long book as in a short one. */
const NEIGHBOURS = 6;
const SUMMARISED_CHAPTERS = 3;
const MAX_FACTS = 60;

/** The author's brief, as data. */
export function briefBlock({ title, profile, synopsis }: BookSnapshot): string {
  const lines = [
    `Title: ${title}`,
    profile.subtitle && `Subtitle: ${profile.subtitle}`,
    profile.genre && `Genre: ${profile.genre}`,
    profile.target_audience && `Readers: ${profile.target_audience}`,
    profile.tone && `Voice: ${profile.tone}`,
    `Language: ${profile.language ?? 'that of the passages'}`,
    profile.instruction_brief && `Instructions of the author: ${profile.instruction_brief.slice(0, 4_000)}`,
    synopsis && `Synopsis: ${synopsis.slice(0, 2_000)}`,
  ];
  return tagged('brief', lines.filter(Boolean).join('\n'));
}

/**
 * Returns the beginning of the prompt of every operation on a chapter: brief, passages, outline and summaries of
 * earlier chapters. It is byte-identical each time, so that the provider's cache can serve it.
 */
export function chapterPrefix(context: ChapterContext): string {
  const { book, chapter, passages, memory } = context;
  return promptOf(
    briefBlock(book),
    passagesBlock(passages),
    tagged('outline', outlineAround(book, chapter)),
    tagged('told_so_far', earlierChapters(book, chapter, memory)),
  );
}

function outlineAround({ chapters }: BookSnapshot, { id, number, title, outline }: OutlinedChapter): string {
  const around = chapters
    .filter((chapter) => Math.abs(chapter.number - number) <= NEIGHBOURS)
    .map(
      (chapter) =>
        `${chapter.number}. ${chapter.title}${chapter.id === id ? ' (the chapter to work on)' : ''}`,
    );
  const sections = outline.sections.map(
    (section) => `- ${[section.title, section.points.join('; ')].filter(Boolean).join(': ')}`,
  );
  const own = [`Chapter ${number}: ${title}`, outline.summary.slice(0, 1_500), ...sections.slice(0, 20)];
  return `${around.join('\n')}\n\n${own.filter(Boolean).join('\n')}`;
}

function earlierChapters({ chapters }: BookSnapshot, { number }: OutlinedChapter, memory: Memory[]): string {
  const summaries = chapters
    .filter(
      (chapter) =>
        chapter.number < number && number - chapter.number <= SUMMARISED_CHAPTERS && chapter.summary,
    )
    .map(({ number: of, title, summary }) => `Chapter ${of}, ${title}: ${summary.slice(0, 600)}`);
  const remembered = memory.map(({ title, text }) => `From ${title}: ${text.slice(0, 500)}`);
  return [...summaries, ...remembered].join('\n');
}

/** People, places and rules of an invented world: the terms of the outline, and names of earlier chapters with what was said of them. */
export function codexBlock({ book, chapter }: ChapterContext, others: ChapterText[]): string {
  if (!isFiction(book.profile)) return '';
  const facts = others
    .filter(({ number }) => number < chapter.number)
    .flatMap(({ title, facts: of }) =>
      of.filter(({ value }) => value === null).map((fact) => ({ ...fact, title })),
    );
  const first = new Map(facts.map((fact) => [fact.key, fact] as const).reverse());
  const known = [...first.values()]
    .slice(-MAX_FACTS)
    .map(({ text, title, evidence }) => `- ${text} (${title}): ${evidence.slice(0, 200)}`);
  return tagged('codex', [...chapter.outline.terms.map((term) => `- ${term}`), ...known].join('\n'));
}

/** Figures and dates that earlier chapters state, with their sentences; the nearest chapters last. */
export function factsBlock({ chapter }: ChapterContext, others: ChapterText[]): string {
  const lines = others
    .filter(({ number }) => number < chapter.number)
    .sort((a, b) => a.number - b.number)
    .flatMap(({ number, facts }) => {
      const stated = facts.filter(({ value }) => value !== null).map(({ evidence }) => oneLine(evidence));
      return [...new Set(stated)].map((sentence) => `- Chapter ${number}: ${sentence.slice(0, 300)}`);
    });
  return tagged('facts', lines.slice(-MAX_FACTS).join('\n'));
}

/** The plan of a chapter, as data. */
export function planBlock(plan: ChapterPlan | null): string {
  if (!plan) return '';
  const sections = plan.sections.map(
    ({ title, points, words }) =>
      `## ${title}${words ? ` (about ${words} words)` : ''}\n${points.map((point) => `- ${point}`).join('\n')}`,
  );
  return tagged('plan', [plan.intent, ...sections].filter(Boolean).join('\n'));
}
