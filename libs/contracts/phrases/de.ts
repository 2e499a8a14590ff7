import type { ProblemCode } from '../errors.js';
import { appendix } from './de/appendix.js';
import { cliErrors } from './de/cli-errors.js';
import { commandLine } from './de/command-line.js';
import { commands } from './de/commands.js';
import { ledgerPage } from './de/ledger-page.js';
import { output } from './de/output.js';
import { studio } from './de/studio.js';
import type { PhraseCode } from './phrase.js';
import type { PhraseText } from './render.js';

/** German texts, and titles of problems by problem code. */
export const de: Record<PhraseCode | ProblemCode, PhraseText> = {
  ...studio,
  ...appendix,
  ...cliErrors,
  ...commandLine,
  ...commands,
  ...ledgerPage,
  ...output,
};
