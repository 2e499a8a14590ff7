import { phrase } from '#contracts/phrases/phrase.js';
import { askModel, withStage, stepKey } from '#kit/graph/node.js';
import { passagesWith } from '#kit/graph/passages.js';
import { BudgetExceededError } from '#kit/graph/ports.js';
import type { ResearchEnd } from '#contracts/research.js';
import { DEFAULT_ROUNDS } from '../../contract.js';
import {
  addQuestions,
  applyAssessment,
  endOfResearch,
  noteSearch,
  plannedSearches,
} from '#writing/research/rounds.js';
import { planArticle } from '../../prompts/operations.js';
import { assessResearch, askQuestions } from '../../prompts/research.js';
import type { ArticlePorts } from '../ports.js';
import {
  addUnfound,
  below,
  firstHeadings,
  isQuotaUsedUp,
  MAX_PASSAGES,
  searchHeadings,
  searchQuestion,
  type Found,
} from '../search.js';
import {
  failed,
  type ArticleNodeFunction,
  type ArticleState,
  type ArticleUpdate,
  type Section,
} from '../state.js';

/** Maximum number of searches per round. */
const SEARCHES_PER_ROUND = 8;

/**
 * A3, A6: searches for the topic, or for each heading that the person gave, and lets the model ask what a reader would
 * want to know. Rules ask no questions.
 */
export function authorResearch(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const headings = firstHeadings(state);
    const {
      found: first,
      searched,
      isUsedUp,
    } = await searchHeadings(ports, state, headings, stepKey(config));
    const found = await addUnfound(ports, first);
    const researched = [...state.researched, ...searched];
    if (isUsedUp) return { ...found, researched, research_end: 'searches' };
    const most = mostRounds(state);
    if (most === 0) return { ...found, researched, research_end: 'rounds' };
    const asked = await askModel(ports, askQuestions({ ...state, ...found }), config);
    if (found.passages.length === 0 && !asked) return nothingFound();
    const questions = addQuestions(state.research_questions, asked ?? []);
    return {
      ...found,
      researched,
      research_questions: questions,
      research_rounds: 0,
      research_end: asked ? endOfResearch(questions, 0, most) : 'rules',
      fallback_stages: withStage(state.fallback_stages, asked ? null : 'research_questions'),
    };
  };
}

export const nothingFound = (): ArticleUpdate => failed('no_sources', phrase('run_error.no_sources'));

const mostRounds = ({ inputs }: ArticleState): number => inputs.research_rounds ?? DEFAULT_ROUNDS;

/**
 * A6: makes the searches for the open questions, and lets the model say what the passages answer, what stays open, and
 * where they contradict each other. A budget or quota that is used up ends the rounds: the report says what stays open.
 */
export function researchRound(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const key = stepKey(config);
    const searched = await searchOpen(ports, state, key);
    const round = state.research_rounds + 1;
    const judged =
      state.research_rounds > 0 && searched.labels.length === 0
        ? { update: {}, end: null }
        : await assess(ports, { ...state, ...searched.update }, searched.labels, config);
    const update = { ...searched.update, ...judged.update, research_rounds: round };
    const research_end =
      searched.end ?? judged.end ?? endOfResearch(update.research_questions, round, mostRounds(state));
    const open = update.research_questions.filter(({ status }) => status === 'open').length;
    ports.emit({
      type: 'research_round',
      data: {
        round,
        questions: update.research_questions.length,
        open,
        passages: update.passages.length,
        end: research_end,
      },
      effectKey: `${key}/research_round`,
    });
    return { ...update, research_end };
  };
}

type Searched = Found & Pick<ArticleState, 'research_questions'>;

/** Makes the planned searches. @returns also the labels of the results that the model has not compared with their question */
async function searchOpen(
  ports: ArticlePorts,
  state: ArticleState,
  key: string,
): Promise<{ update: Searched; labels: string[]; end: ResearchEnd | null }> {
  let found: Found = { passages: state.passages, research_sources: state.research_sources };
  let questions = state.research_questions;
  let end: ResearchEnd | null = null;
  const labels: string[] = [];
  const compared = new Set(state.passages.map(({ label }) => label));
  const isNew = new Set(questions.filter(({ queries }) => queries.length === 0).map(({ id }) => id));
  for (const [n, search] of plannedSearches(questions, SEARCHES_PER_ROUND).entries()) {
    const result = await unlessUsedUp(searchQuestion(ports, found, search.query, `${key}/research/${n}`));
    if (typeof result === 'string') {
      end = result;
      break;
    }
    found = result.found;
    labels.push(...result.labels.filter((label) => isNew.has(search.question) || !compared.has(label)));
    questions = noteSearch(questions, search, result.labels);
    if (found.passages.length >= MAX_PASSAGES) {
      end = 'passages';
      break;
    }
  }
  return { update: { ...found, research_questions: questions }, labels, end };
}

/**
 * Lets the model compare the questions with the passages, after the first round only the open questions with the passages
 * of `fresh`; without its answer the questions stay open.
 */
async function assess(
  ports: ArticlePorts,
  state: ArticleState,
  fresh: string[],
  config: Parameters<ArticleNodeFunction>[1],
): Promise<{
  update: Pick<ArticleState, 'research_questions' | 'research_conflicts' | 'fallback_stages'>;
  end: ResearchEnd | null;
}> {
  const { research_questions, research_conflicts, fallback_stages } = state;
  const same = { research_questions, research_conflicts, fallback_stages };
  const passages = state.research_rounds > 0 ? passagesWith(state.passages, fresh) : state.passages;
  const open = research_questions.filter(({ status }) => status === 'open');
  const compared = assessResearch({ ...state, passages, research_questions: open });
  const answer = await unlessUsedUp(askModel(ports, compared, config));
  if (answer === 'budget' || answer === 'searches') return { update: same, end: answer };
  if (answer === null)
    return {
      update: { ...same, fallback_stages: withStage(fallback_stages, 'assess_research') },
      end: 'rules',
    };
  const notes = { questions: research_questions, conflicts: research_conflicts };
  const { questions, conflicts } = applyAssessment(notes, answer, state.passages);
  return { update: { ...same, research_questions: questions, research_conflicts: conflicts }, end: null };
}

/** Returns the exhausted limit instead of failing: the results so far are enough for a report. */
async function unlessUsedUp<T>(work: Promise<T>): Promise<T | 'budget' | 'searches'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BudgetExceededError) return 'budget';
    if (isQuotaUsedUp(error)) return 'searches';
    throw error;
  }
}

/**
 * A3: plans the content of each heading and its passages, unless these are the proposed ones; searches for headings that a
 * person added.
 */
export function authorStructure(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const proposed = new Map(state.sections.map((section) => [section.heading.title, section]));
    const kept = below(state.headings).flatMap((heading) => {
      const section = proposed.get(heading.title);
      return section ? [{ ...section, heading }] : [];
    });
    if (kept.length > 0 && kept.length === below(state.headings).length) return { sections: kept };
    const known = new Set(state.researched);
    const added = below(state.headings).filter(({ title }) => !known.has(title));
    const titles = added.map(({ title }) => title);
    const {
      found: research,
      searched,
      isUsedUp,
    } = await searchHeadings(ports, state, titles, stepKey(config));
    const planned = await askModel(ports, planArticle({ ...state, ...research }), config);
    const labels = new Set(research.passages.map(({ label }) => label));
    const sections = below(state.headings).map((heading): Section => {
      const plan = planned?.find(({ title }) => title.trim() === heading.title);
      const found = research.passages.filter(({ headings }) => headings.includes(heading.title));
      return {
        heading,
        points: plan?.points ?? [],
        labels: plan?.labels.filter((label) => labels.has(label)) ?? found.map(({ label }) => label),
      };
    });
    return {
      ...research,
      researched: [...state.researched, ...searched],
      ...(isUsedUp ? { research_end: 'searches' as const } : {}),
      sections,
      fallback_stages: withStage(state.fallback_stages, planned ? null : 'plan_article'),
    };
  };
}
