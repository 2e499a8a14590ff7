import type { SourceConflict } from '#contracts/research.js';
import type { OpenQuestion } from './rounds.js';

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
