import { evidence } from './evidence.js';
import { fieldErrors } from './field-errors.js';
import { findings } from './findings.js';
import { issues } from './issues.js';
import { ledger, pieces } from './ledger.js';
import { modelFailures } from './model-failures.js';
import { outline } from './outline.js';
import { parts } from './parts.js';
import { plans } from './plans.js';
import { problems } from './problems.js';
import { profile } from './profile.js';
import { progress } from './progress.js';
import { questions } from './questions.js';
import { runErrors } from './run-errors.js';
import { sources } from './sources.js';
import { titles } from './titles.js';
import { toolErrors } from './tool-errors.js';
import { unreadable } from './unreadable.js';

/** Polish texts that pages of the studio show. Those of the command line and of Word files are not among them. */
export const studio = {
  ...evidence,
  ...fieldErrors,
  ...findings,
  ...issues,
  ...ledger,
  ...pieces,
  ...modelFailures,
  ...outline,
  ...parts,
  ...plans,
  ...problems,
  ...profile,
  ...progress,
  ...questions,
  ...runErrors,
  ...sources,
  ...titles,
  ...toolErrors,
  ...unreadable,
} as const;
