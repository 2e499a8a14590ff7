import type { ResearchEnd, ResearchQuestion, SourceConflict } from '#contracts/research.js';
import type { CitedPassage } from '../citations.js';
import { createQuoteFinder } from '../quotes.js';
import type { Assessment, ProposedQuestion } from './answers.js';

/** A question with the searches that the next round makes for it. */
export interface OpenQuestion extends ResearchQuestion {
  next: string[];
}

/** Questions, and conflicts between sources, after a round. */
export interface ResearchNotes {
  questions: OpenQuestion[];
  conflicts: SourceConflict[];
}

/** A search of the next round. */
interface PlannedSearch {
  question: string;
  query: string;
}

const MAX_QUESTIONS = 20;
const MAX_CONFLICTS = 20;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Adds questions that were not asked yet, and gives them ids. @param most number of questions beyond which none is added */
export function addQuestions(
  known: OpenQuestion[],
  proposed: ProposedQuestion[],
  most = MAX_QUESTIONS,
): OpenQuestion[] {
  const asked = new Set(known.map(({ question }) => plain(question)));
  const all = [...known];
  for (const { perspective, question, queries } of proposed) {
    if (asked.has(plain(question)) || all.length >= most) continue;
    asked.add(plain(question));
    const id = `q${all.length + 1}`;
    all.push({ id, perspective, question, status: 'open', labels: [], queries: [], next: queries });
  }
  return all;
}

/** Returns the searches of the next round: first one for each open question, none made before, at most `limit`. */
export function plannedSearches(questions: OpenQuestion[], limit: number): PlannedSearch[] {
  const made = new Set(questions.flatMap(({ queries }) => queries.map(plain)));
  const open = questions.filter(({ status }) => status === 'open');
  const rounds = Math.max(0, ...open.map(({ next }) => next.length));
  const planned: PlannedSearch[] = [];
  for (let n = 0; n < rounds; n++)
    for (const { id, next } of open) {
      const query = next[n];
      if (query === undefined || made.has(plain(query))) continue;
      made.add(plain(query));
      planned.push({ question: id, query });
    }
  return planned.slice(0, limit);
}

/** Notes a search and the labels of the passages that it found. */
export function noteSearch(
  questions: OpenQuestion[],
  { question: id, query }: PlannedSearch,
  labels: string[],
): OpenQuestion[] {
  return questions.map((question) =>
    question.id === id
      ? {
          ...question,
          queries: [...question.queries, query],
          labels: [...new Set([...question.labels, ...labels])],
        }
      : question,
  );
}

/**
 * Applies an assessment: a question is answered only by passages that exist, and the sides of a conflict are words of
 * their passages. The rest of the assessment is dropped.
 */
export function applyAssessment(
  notes: ResearchNotes,
  { answered, open, new: proposed, conflicts }: Assessment,
  passages: CitedPassage[],
): ResearchNotes {
  const known = new Set(passages.map(({ label }) => label));
  const answers = new Map(
    answered.map(({ id, passages: of }) => [id, of.filter((label) => known.has(label))] as const),
  );
  const queries = new Map(open.map(({ id, queries: of }) => [id, of] as const));
  const questions = notes.questions.map((question): OpenQuestion => {
    const labels = answers.get(question.id) ?? [];
    if (labels.length > 0) return { ...question, status: 'answered', labels, next: [] };
    return { ...question, next: queries.get(question.id) ?? [] };
  });
  return {
    questions: addQuestions(questions, proposed),
    conflicts: withConflicts(notes.conflicts, conflicts, passages),
  };
}

function withConflicts(
  before: SourceConflict[],
  found: Assessment['conflicts'],
  passages: CitedPassage[],
): SourceConflict[] {
  const byLabel = new Map(passages.map((passage) => [passage.label, passage]));
  const keyOf = ({ sides }: SourceConflict) =>
    sides
      .map(({ label, quote }) => `${label} ${quote}`)
      .sort()
      .join('\n');
  const all = new Map(before.map((conflict) => [keyOf(conflict), conflict]));
  for (const { about, sides } of found) {
    const placed = sides.flatMap(({ passage: label, quote }) => {
      const passage = byLabel.get(label);
      const at = passage ? createQuoteFinder(passage.text)(quote) : null;
      if (!passage || !at) return [];
      const span = { start: passage.span.start + at.start, end: passage.span.start + at.end };
      return [{ label, quote: passage.text.slice(at.start, at.end), span }];
    });
    if (new Set(placed.map(({ quote }) => plain(quote))).size < 2) continue;
    const conflict = { about, sides: placed };
    if (!all.has(keyOf(conflict)) && all.size < MAX_CONFLICTS) all.set(keyOf(conflict), conflict);
  }
  return [...all.values()];
}

/** Returns why no further round follows; null if one does. */
export function endOfResearch(questions: OpenQuestion[], rounds: number, most: number): ResearchEnd | null {
  if (questions.every(({ status }) => status === 'answered')) return 'answered';
  if (plannedSearches(questions, 1).length === 0) return 'no_more_queries';
  return rounds >= most ? 'rounds' : null;
}

/** Returns the questions as clients receive them. */
export const publicQuestions = (questions: OpenQuestion[]): ResearchQuestion[] =>
  questions.map(({ next: _, ...question }) => question);
