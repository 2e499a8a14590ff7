import { build } from './build.js';
import { findZones, withZones } from './own-lines/zones.js';
import type { Ledger, LedgerOptions, LedgerSource } from './schema.js';

export { ledgerPage, withFacts, type LedgerFacts } from './report/html.js';
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
  const zones = findZones(manuscript, sources, options);
  return zones === null
    ? build(manuscript, sources, options)
    : withZones(build(zones.rest, sources, options), zones.added);
}
