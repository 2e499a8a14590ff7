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
import { CHAPTER_SYSTEM, chapterPrefix, type ChapterContext } from './context.js';

/** Asks what a demanding reader of the chapter would want to know (B14). */
export function askChapterQuestions(context: ChapterContext): Operation<ProposedQuestion[]> {
  return {
    name: 'research_questions',
    tier: 'fast',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix({ ...context, passages: atAGlance(context.passages) }),
      `Task: list the questions that a demanding reader of the chapter to work on would ask, for the researcher who searches the author's sources for answers. <outline> says what the chapter is about. Leave out what <told_so_far> has told.
${QUESTIONS_TASK}`,
    ),
    schema: questionsAnswerSchema,
    read: (answer) => readJson(questionsAnswerSchema, answer).questions,
  };
}

/** Compares the questions with the passages after a round of searches (B14). */
export function assessChapter(context: ChapterContext): Operation<Assessment> {
  return {
    name: 'assess_research',
    tier: 'fast',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix(context),
      researchBlock(context),
      `Task: compare <questions> with <passages> after a round of searches, and plan the next round. Work through the questions one by one.
${ASSESSMENT_TASK}`,
    ),
    schema: assessmentSchema,
    read: (answer) => readJson(assessmentSchema, answer),
  };
}

/** The questions of the research and the contradictions found, as data. */
export const researchBlock = ({ research }: ChapterContext): string =>
  promptOf(tagged('questions', questionLines(research?.questions ?? [])), conflictsBlock(research));

/** Returns the contradictions between passages as data. */
export const conflictsBlock = (research: ChapterContext['research']): string =>
  tagged('conflicts', conflictLines(research?.conflicts ?? []));
