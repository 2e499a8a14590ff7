import { wordsIn } from '#contracts/text.js';
import type { ResearchEnd, ResearchQuestion, SourceConflict } from '#contracts/research.js';
import type { CitedPassage } from '../citations.js';
import { createQuoteFinder } from '../quotes.js';
import { z } from 'zod';

/** Task of the first request of a research. */
export const QUESTIONS_TASK = `- Ask from at least three perspectives: a practitioner who does the work, a sceptic who doubts what is commonly said, a newcomer who lacks the terms. Choose others where the topic asks for them.
- Ask what one passage can answer: when, how much, who, why, what it cost, what went wrong. Divide a broad question into such ones. Six to twelve questions.
- <passages> holds the beginnings of what a first search found. Ask also what these may answer: the next step compares them with your questions.
- Give each question one or two queries for a search engine: two to six words that a source would use, not the words of the question.
Answer with one JSON object and nothing else. Form:
{"questions": [{"perspective": "sceptic", "question": "Did the ice really keep the boats in for nine days?", "queries": ["harbour frozen January 1893", "ice boats minutes council"]}]}`;

/** Fields of an answer that compares questions with passages. */
export const ANSWERED_RULE =
  '- "answered": the questions that passages answer, with the ids of these passages. A passage that only mentions the subject does not answer, and a question that is answered in part stays open.';
export const CONFLICTS_RULE =
  '- "conflicts": where passages contradict each other: what about, and for each side the id of the passage and its words, copied exactly and as short as possible. Passages about different times or different things do not conflict.';
export const ANSWERED_FORM = '"answered": [{"id": "q1", "passages": ["s2", "s5"]}]';
export const CONFLICTS_FORM =
  '"conflicts": [{"about": "length of the frost", "sides": [{"passage": "s2", "quote": "nine days"}, {"passage": "s5", "quote": "a fortnight"}]}]';

/** Task of the request that follows the searches of a round. */
export const ASSESSMENT_TASK = `${ANSWERED_RULE}
- "open": each of the other questions, with one or two new queries in other words: synonyms, a narrower or a wider term, a name that a passage gives. Leave the queries out where a further search is pointless.
- "new": questions that a passage raises and the reader of <brief> would ask next, with the perspective and queries; at most three. Leave it empty if there are none.
${CONFLICTS_RULE}
Answer with one JSON object and nothing else. Form:
{${ANSWERED_FORM}, "open": [{"id": "q2", "queries": ["baker Olsen bread"]}], "new": [], ${CONFLICTS_FORM}}`;

/** Returns questions as lines of a prompt. */
export const questionLines = (questions: OpenQuestion[]): string =>
  questions
    .map(({ id, status, perspective, question, queries, labels }) => {
      const searched = queries.length === 0 ? '' : ` Searched: ${queries.join('; ')}.`;
      const by = status === 'answered' ? ` by ${labels.join(', ')}` : '';
      return `${id} (${status}${by}, ${perspective}): ${question}${searched}`;
    })
    .join('\n');

/** Returns conflicts as lines of a prompt. */
export const conflictLines = (conflicts: SourceConflict[]): string =>
  conflicts
    .map(
      ({ about, sides }) =>
        `${about}: ${sides.map(({ label, quote }) => `${label} says "${quote}"`).join('; ')}`,
    )
    .join('\n');

const query = z.string().trim().min(1).max(200);
const queries = z.array(query).max(4).default([]);

const proposedSchema = z.object({
  perspective: z.string().trim().min(1).max(60).describe('who asks, in one or two words'),
  question: z.string().trim().min(1).max(300),
  queries: queries.describe('words that a source would use'),
});
export type ProposedQuestion = z.infer<typeof proposedSchema>;

/** The model's answer to a request for questions. */
export const questionsAnswerSchema = z.object({ questions: z.array(proposedSchema).min(1).max(20) });

const id = z.string().max(10);
const label = z.string().max(20);

/** The model's comparison of questions and passages. */
export const assessmentSchema = z.object({
  answered: z
    .array(z.object({ id, passages: z.array(label).max(30) }))
    .max(40)
    .default([]),
  open: z
    .array(z.object({ id, queries }))
    .max(40)
    .default([])
    .describe('the other questions, with new searches'),
  new: z.array(proposedSchema).max(10).default([]).describe('questions that the passages raise'),
  conflicts: z
    .array(
      z.object({
        about: z.string().trim().min(1).max(200),
        sides: z
          .array(z.object({ passage: label, quote: z.string().min(1).max(600) }))
          .min(2)
          .max(6),
      }),
    )
    .max(20)
    .default([]),
});
export type Assessment = z.infer<typeof assessmentSchema>;

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

const plain = (text: string): string => wordsIn(text.toLowerCase()).join(' ');

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
