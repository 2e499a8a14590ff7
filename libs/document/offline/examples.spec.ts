import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintMarkdown } from '#markdown/lint/lint.js';
import { buildLedger, ledgerIssues } from '#verbatim/ledger.js';
import { writeOffline } from '#testing/write-offline.js';
import { isImage } from './sources/kind.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

async function writeExample(set: string, missing: string[]) {
  const folder = join(EXAMPLES, set);
  const names = readdirSync(folder).sort();
  const texts = names.filter((name) => !isImage(name));
  const inputs = Object.fromEntries(texts.map((name) => [name, readFileSync(join(folder, name))]));
  const session = await writeOffline(inputs, { assets: names.filter(isImage) });
  const sources = texts.map((name) => ({ name, text: inputs[name]?.toString('utf8') ?? '' }));
  const ledger = buildLedger(session.manuscript, sources, { policy: 'verbatim' });
  const lint = await lintMarkdown(session.manuscript, { knownReferences: [...names, ...missing] });
  return { session, ledger, issues: [...lint, ...ledgerIssues(ledger)] };
}

describe('the examples', () => {
  it('incident: every line of every source is carried, and nothing needs repair', async () => {
    const { session, ledger, issues } = await writeExample('incident', ['pool-saturation.png']);
    expect(issues).toEqual([]);
    expect(ledger.coverage).toBe(1);
    expect(session.questions).toEqual([expect.stringContaining('pool-saturation.png')]);
    expect(session.labels).toHaveLength(4);
  });

  it('handover: every line of every source is carried, and nothing needs repair', async () => {
    const { session, ledger, issues } = await writeExample('handover', []);
    expect(issues).toEqual([]);
    expect(ledger.coverage).toBe(1);
    for (const title of [
      '# rate-card',
      '# Operations',
      '# ADR 0007: Round once, at the end',
      '## Consequences',
    ]) {
      expect(session.manuscript).toContain(`${title}\n`);
    }
  });
});
