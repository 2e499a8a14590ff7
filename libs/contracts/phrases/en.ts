import { appendix } from './en/appendix.js';
import { cliErrors } from './en/cli-errors.js';
import { commands } from './en/commands.js';
import { commandLine } from './en/command-line.js';
import { modelFailures } from './en/model-failures.js';
import { runErrors } from './en/run-errors.js';
import { sources } from './en/sources.js';
import { toolErrors } from './en/tool-errors.js';
import { unreadable } from './en/unreadable.js';
import { fieldErrors, fieldTypes } from './en/field-errors.js';
import { evidence } from './en/evidence.js';
import { findings } from './en/findings.js';
import { issues } from './en/issues.js';
import { ledger, pieces } from './en/ledger.js';
import { ledgerPage } from './en/ledger-page.js';
import { outline } from './en/outline.js';
import { output } from './en/output.js';
import { parts } from './en/parts.js';
import { plans } from './en/plans.js';
import { problems } from './en/problems.js';
import { profile } from './en/profile.js';
import { progress } from './en/progress.js';
import { questions } from './en/questions.js';

/**
 * English texts for people, by phrase code. Responses contain the text together with its code and parameters. `de.ts`
 * and `pl.ts` have the same codes and placeholders.
 */
export const en = {
  ...problems,
  ...questions,
  ...plans,
  ...findings,
  ...evidence,
  ...issues,
  ...ledger,
  ...appendix,
  ...ledgerPage,
  ...pieces,
  ...commandLine,
  ...commands,
  ...cliErrors,
  ...outline,
  ...output,
  ...parts,
  ...profile,
  ...progress,
  ...fieldErrors,
  ...fieldTypes,
  ...runErrors,
  ...toolErrors,
  ...sources,
  ...modelFailures,
  ...unreadable,
} as const;
