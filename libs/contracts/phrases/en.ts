import { commandLine } from './en/command-line.js';
import { findings } from './en/findings.js';
import { plans } from './en/plans.js';
import { problems } from './en/problems.js';
import { questions } from './en/questions.js';

/**
 * English texts for people, by phrase code. Responses contain the text together with its code and parameters. `de.ts`
 * and `pl.ts` have the same codes and placeholders.
 */
export const en = { ...problems, ...questions, ...plans, ...findings, ...commandLine } as const;
