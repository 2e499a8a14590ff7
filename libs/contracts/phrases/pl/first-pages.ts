import { fieldErrors } from './field-errors.js';
import { modelFailures } from './model-failures.js';
import { plans } from './plans.js';
import { problems } from './problems.js';
import { progress } from './progress.js';
import { questions } from './questions.js';
import { runErrors } from './run-errors.js';
import { titles } from './titles.js';
import { unreadable } from './unreadable.js';

/** Polish texts that any page of the studio may show: problems, questions, states of runs. */
export const firstPages = {
  ...titles,
  ...problems,
  ...questions,
  ...progress,
  ...runErrors,
  ...modelFailures,
  ...unreadable,
  ...fieldErrors,
  ...plans,
} as const;
