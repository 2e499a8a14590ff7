import type { ProblemCode } from '../errors.js';
import { commandLine } from './pl/command-line.js';
import { findings } from './pl/findings.js';
import { plans } from './pl/plans.js';
import { problems } from './pl/problems.js';
import { questions } from './pl/questions.js';
import { titles } from './pl/titles.js';
import type { PhraseCode } from './phrase.js';
import type { PhraseText } from './render.js';

/** Polish texts, and titles of problems by problem code. */
export const pl: Record<PhraseCode | ProblemCode, PhraseText> = {
  ...titles,
  ...problems,
  ...questions,
  ...plans,
  ...findings,
  ...commandLine,
};
