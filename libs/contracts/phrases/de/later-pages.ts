import { evidence } from './evidence.js';
import { findings } from './findings.js';
import { issues } from './issues.js';
import { ledger, pieces } from './ledger.js';
import { sources } from './sources.js';
import { toolErrors } from './tool-errors.js';

/** German texts that single pages of the studio show, such as findings and the ledger. */
export const laterPages = {
  ...findings,
  ...evidence,
  ...issues,
  ...ledger,
  ...pieces,
  ...toolErrors,
  ...sources,
} as const;
