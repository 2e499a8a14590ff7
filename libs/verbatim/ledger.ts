import { build } from './build.js';
import { expand } from './shorten/expand.js';
import { reduce } from './shorten/reduce.js';
import type { Ledger, LedgerOptions, LedgerSource } from './schema.js';

export { ledgerHtml, withFacts, type LedgerFacts } from './report/html.js';
export { translatedPage, withTexts } from './report/page-text.js';
export { isFault } from './report/added.js';
export { ledgerIssues } from './report/issues.js';
export { ledgerSchema } from './schema.js';
export type { Ledger, LedgerOptions, LedgerSource } from './schema.js';

/**
 * Traces every line of every source to the manuscript lines that carry it (X1). Code, logs, data and tables
 * must appear exactly and in order. For prose, `options.policy` decides. Pure and deterministic. Time and
 * memory grow linearly with the input.
 */
export function buildLedger(manuscript: string, sources: LedgerSource[], options: LedgerOptions): Ledger {
  const reduced = reduce(manuscript, sources, options);
  if (reduced) {
    const ledger = expand(build(reduced.manuscript, reduced.sources, options, sources), reduced);
    if (ledger) return ledger;
  }
  return build(manuscript, sources, options, sources);
}
