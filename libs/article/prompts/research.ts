import { readJson, type Operation } from '#kit/graph/structured.js';
import { atAGlance } from '#kit/graph/passages.js';
import { promptOf, tagged } from '#kit/graph/tagged.js';
import {
  assessmentSchema,
  questionsAnswerSchema,
  type Assessment,
  type ProposedQuestion,
  ASSESSMENT_TASK,
  conflictLines,
  questionLines,
  QUESTIONS_TASK,
} from '#writing/research/rounds.js';
import type { ArticleState } from '../graph/state.js';
import * as prompts from './prompts.js';

/** Asks what a demanding reader of the article would want to know (A6). */
export function askQuestions(state: ArticleState): Operation<ProposedQuestion[]> {
  return {
    name: 'research_questions',
    tier: 'fast',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix({ ...state, passages: atAGlance(state.passages) }),
      prompts.headingsBlock(state.headings),
      `Task: list the questions that a demanding reader of the article would ask, for the researcher who searches the sources for answers.
${QUESTIONS_TASK}`,
    ),
    schema: questionsAnswerSchema,
    read: (answer) => readJson(questionsAnswerSchema, answer).questions,
  };
}

/** Compares the questions with the passages after a round of searches (A6). */
export function assessResearch(state: ArticleState): Operation<Assessment> {
  return {
    name: 'assess_research',
    tier: 'fast',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix(state),
      notesBlock(state),
      `Task: compare <questions> with <passages> after a round of searches, and plan the next round. Work through the questions one by one.
${ASSESSMENT_TASK}`,
    ),
    schema: assessmentSchema,
    read: (answer) => readJson(assessmentSchema, answer),
  };
}

/** The questions and the contradictions found so far, as data. */
export const notesBlock = ({ research_questions, research_conflicts }: ArticleState): string =>
  promptOf(
    tagged('questions', questionLines(research_questions)),
    tagged('conflicts', conflictLines(research_conflicts)),
  );
