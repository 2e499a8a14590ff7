import type { ProblemCode } from '../errors.js';
import { commandLine } from './de/command-line.js';
import { findings } from './de/findings.js';
import { plans } from './de/plans.js';
import { problems } from './de/problems.js';
import { questions } from './de/questions.js';
import { titles } from './de/titles.js';
import type { PhraseCode } from './phrase.js';
import type { PhraseText } from './render.js';

/** German texts, and titles of problems by problem code. */
export const de: Record<PhraseCode | ProblemCode, PhraseText> = {
  ...titles,
  ...problems,
  ...questions,
  ...plans,
  ...findings,
  ...commandLine,
};
