import type { ProblemCode } from '../errors.js';
import { appendix } from './pl/appendix.js';
import { cliErrors } from './pl/cli-errors.js';
import { commands } from './pl/commands.js';
import { commandLine } from './pl/command-line.js';
import { fieldErrors } from './pl/field-errors.js';
import { evidence } from './pl/evidence.js';
import { findings } from './pl/findings.js';
import { ledger, pieces } from './pl/ledger.js';
import { modelFailures } from './pl/model-failures.js';
import { outline } from './pl/outline.js';
import { output } from './pl/output.js';
import { plans } from './pl/plans.js';
import { problems } from './pl/problems.js';
import { progress } from './pl/progress.js';
import { questions } from './pl/questions.js';
import { runErrors } from './pl/run-errors.js';
import { titles } from './pl/titles.js';
import { sources } from './pl/sources.js';
import { toolErrors } from './pl/tool-errors.js';
import { unreadable } from './pl/unreadable.js';
import type { PhraseCode } from './phrase.js';
import type { PhraseText } from './render.js';

/** Polish texts, and titles of problems by problem code. */
export const pl: Record<PhraseCode | ProblemCode, PhraseText> = {
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
