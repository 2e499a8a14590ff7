import { askModel, withStage, stepKey } from '#kit/graph/node.js';
import { BudgetExceededError } from '#kit/graph/ports.js';
import {
  addQuestions,
  applyAssessment,
  endOfResearch,
  noteSearch,
  plannedSearches,
  type Assessment,
} from '#writing/research/rounds.js';
import { assessChapter, askChapterQuestions } from '../../prompts/research.js';
import type { ChapterContext } from '../../prompts/context.js';
import { isFiction } from '../checks.js';
import type { BookPorts } from '../ports.js';
import type { BookNodeFunction, BookState, BookUpdate, ChapterResearch, LabelledPassage } from '../state.js';
import { contextOf } from './chapter-context.js';

const DEFAULT_ROUNDS = 1;
/** More if there are more questions: each is searched for once. */
const SEARCHES_PER_ROUND = 8;
/** Passages per search, and of a chapter: they are in every prompt of the chapter. */
const OF_QUESTION = 2;
const MAX_PASSAGES = 20;

type Config = Parameters<BookNodeFunction>[1];

/**
 * B14: lets the model ask what a reader of the chapter would want to know, searches the book's sources for answers, and
 * lets the model say what they answer and where they contradict each other: after the last round together with the plan
 * (`settleResearch`). A chapter without passages, fiction, and
 * the revision of a text need no research. A budget that is used up ends it.
 */
export function researchNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const context = await contextOf(ports, state);
    try {
      return state.research
        ? await round(ports, state, state.research, context, config)
        : await begin(ports, state, context, config);
    } catch (error) {
      if (!(error instanceof BudgetExceededError)) throw error;
      return { research: { ...(state.research ?? NOTHING), end: 'budget' } };
    }
  };
}

const NOTHING: ChapterResearch = { questions: [], conflicts: [], rounds: 0, end: 'rounds' };

const mostRounds = ({ inputs }: BookState): number => inputs.research_rounds ?? DEFAULT_ROUNDS;

async function begin(
  ports: BookPorts,
  state: BookState,
  context: ChapterContext,
  config: Config,
): Promise<BookUpdate> {
  const most = mostRounds(state);
  const isNeeded = !state.steering && context.passages.length > 0 && !isFiction(context.book.profile);
  if (!isNeeded || most === 0) return { research: NOTHING };
  const asked = await askModel(ports, askChapterQuestions(context), config);
  const questions = addQuestions([], asked ?? []);
  return {
    research: { ...NOTHING, questions, end: asked ? endOfResearch(questions, 0, most) : 'rules' },
    fallback_stages: withStage(state.fallback_stages, asked ? null : 'research_questions'),
  };
}

async function round(
  ports: BookPorts,
  state: BookState,
  { questions: asked, conflicts, rounds: before }: ChapterResearch,
  context: ChapterContext,
  config: Config,
): Promise<BookUpdate> {
  let questions = asked;
  let passages = state.knowledge_context;
  const searches = plannedSearches(questions, Math.max(SEARCHES_PER_ROUND, questions.length));
  for (const search of searches) {
    const found = await ports.knowledge.search(search.query, OF_QUESTION);
    passages = added(passages, found);
    const labels = passages.filter(({ id }) => found.some((hit) => hit.id === id)).map(({ label }) => label);
    questions = noteSearch(questions, search, labels);
  }
  const rounds = before + 1;
  if (rounds >= mostRounds(state))
    return { knowledge_context: passages, research: { questions, conflicts, rounds, end: 'rounds' } };
  const known = { ...context, passages, research: { questions, conflicts, rounds, end: null } };
  const judged = await askModel(ports, assessChapter(known), config);
  const notes = judged
    ? applyAssessment({ questions, conflicts }, judged, passages)
    : { questions, conflicts };
  const end = judged ? endOfResearch(notes.questions, rounds, mostRounds(state)) : 'rules';
  const research = { ...notes, rounds, end };
  report(ports, context, research, config);
  return {
    knowledge_context: passages,
    research,
    fallback_stages: withStage(state.fallback_stages, judged ? null : 'assess_research'),
  };
}

/** Applies what the planner says about the questions after the last round; null if it said nothing. */
export function settleResearch(
  ports: BookPorts,
  { research, passages, chapter }: ChapterContext,
  planned: Pick<Assessment, 'answered' | 'conflicts'> | null,
  config: Config,
): ChapterResearch | null {
  if (!research || research.questions.length === 0) return research;
  const notes = planned
    ? applyAssessment(research, { ...planned, open: [], new: [] }, passages)
    : { questions: research.questions, conflicts: research.conflicts };
  const { rounds } = research;
  const end = planned ? endOfResearch(notes.questions, rounds, rounds) : 'rules';
  const settled = { ...notes, rounds, end };
  report(ports, { chapter }, settled, config);
  return settled;
}

function report(
  ports: BookPorts,
  { chapter }: Pick<ChapterContext, 'chapter'>,
  { questions, conflicts, rounds }: ChapterResearch,
  config: Config,
): void {
  ports.emit({
    type: 'chapter_researched',
    data: {
      chapter_id: chapter.id,
      number: chapter.number,
      round: rounds,
      questions: questions.length,
      open: questions.filter(({ status }) => status === 'open').length,
      conflicts: conflicts.length,
    },
    effectKey: `${stepKey(config)}/chapter_researched`,
  });
}

/** Adds the passages that are not there yet, up to the maximum, with the next labels. */
function added(passages: LabelledPassage[], found: Omit<LabelledPassage, 'label'>[]): LabelledPassage[] {
  const known = new Set(passages.map(({ id }) => id));
  const fresh = found
    .filter(({ id }) => !known.has(id))
    .slice(0, Math.max(0, MAX_PASSAGES - passages.length));
  return [...passages, ...fresh.map((hit, n) => ({ ...hit, label: `s${passages.length + n + 1}` }))];
}
