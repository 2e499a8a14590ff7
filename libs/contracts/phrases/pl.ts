import type { ProblemCode } from '../errors.js';
import { appendix } from './pl/appendix.js';
import { cliErrors } from './pl/cli-errors.js';
import { commandLine } from './pl/command-line.js';
import { commands } from './pl/commands.js';
import { ledgerPage } from './pl/ledger-page.js';
import { output } from './pl/output.js';
import { studio } from './pl/studio.js';
import type { PhraseCode } from './phrase.js';
import type { PhraseText } from './render.js';

/** Polish texts, and titles of problems by problem code. */
export const pl: Record<PhraseCode | ProblemCode, PhraseText> = {
  ...studio,
  ...appendix,
  ...cliErrors,
  ...commandLine,
  ...commands,
  ...ledgerPage,
  ...output,
};
