import type { ProblemCode } from '../errors.js';
import { appendix } from './de/appendix.js';
import { cliErrors } from './de/cli-errors.js';
import { commands } from './de/commands.js';
import { commandLine } from './de/command-line.js';
import { fieldErrors } from './de/field-errors.js';
import { evidence } from './de/evidence.js';
import { findings } from './de/findings.js';
import { ledger, pieces } from './de/ledger.js';
import { modelFailures } from './de/model-failures.js';
import { outline } from './de/outline.js';
import { output } from './de/output.js';
import { plans } from './de/plans.js';
import { problems } from './de/problems.js';
import { progress } from './de/progress.js';
import { questions } from './de/questions.js';
import { runErrors } from './de/run-errors.js';
import { titles } from './de/titles.js';
import { sources } from './de/sources.js';
import { toolErrors } from './de/tool-errors.js';
import { unreadable } from './de/unreadable.js';
import type { PhraseCode } from './phrase.js';
import type { PhraseText } from './render.js';

/** German texts, and titles of problems by problem code. */
export const de: Record<PhraseCode | ProblemCode, PhraseText> = {
  ...titles,
  ...problems,
  ...questions,
  ...plans,
  ...findings,
  ...evidence,
  ...ledger,
  ...appendix,
  ...pieces,
  ...commandLine,
  ...commands,
  ...cliErrors,
  ...outline,
  ...output,
  ...progress,
  ...fieldErrors,
  ...runErrors,
  ...toolErrors,
  ...sources,
  ...modelFailures,
  ...unreadable,
};
