import { buildLedger, type Ledger, type LedgerOptions, type LedgerSource } from './ledger.js';

/** Worker entry for a thread pool: builds one ledger off the caller's event loop. The caller keeps the time. */
export default async function run(input: {
  manuscript: string;
  sources: LedgerSource[];
  options: LedgerOptions;
}): Promise<Ledger> {
  return buildLedger(input.manuscript, input.sources, input.options);
}
