import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintMarkdown } from '#markdown/lint/lint.js';
import { buildLedger, ledgerIssues } from '#verbatim/ledger.js';
import { ScribeSession } from '#testing/scribe-session.js';
import { isImage } from './sources/kind.js';
import { OfflineScribe } from './offline-scribe.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

async function writeExample(set: string, missing: string[]) {
  const folder = join(EXAMPLES, set);
  const names = readdirSync(folder).sort();
  const texts = names.filter((name) => !isImage(name));
  const inputs = new Map(texts.map((name) => [name, readFileSync(join(folder, name))]));
  const decisions = Object.fromEntries(missing.map((ref) => [ref, 'skip']));
  const session = new ScribeSession(inputs, { assets: names.filter(isImage), missing, decisions });
  await session.run(new OfflineScribe());
  const sources = texts.map((name) => ({ name, text: inputs.get(name)?.toString('utf8') ?? '' }));
  const ledger = buildLedger(session.manuscript, sources, { policy: 'verbatim' });
  const lint = await lintMarkdown(session.manuscript, { knownReferences: [...names, ...missing] });
  return { session, ledger, issues: [...lint, ...ledgerIssues(ledger)] };
}

describe('the examples', () => {
  it('incident: every line of every source is carried, and nothing needs repair', async () => {
    const { session, ledger, issues } = await writeExample('incident', ['pool-saturation.png']);
    expect(issues).toEqual([]);
    expect(ledger.coverage).toBe(1);
    expect(session.questions).toEqual([]);
    expect(session.labels).toHaveLength(7);
  });

  it('incident: asks for the only missing image', async () => {
    const folder = join(EXAMPLES, 'incident');
    const session = new ScribeSession(
      new Map([['01-timeline.md', readFileSync(join(folder, '01-timeline.md'))]]),
      { assets: ['dashboard.png'] },
    );
    await session.run(new OfflineScribe());
    expect(session.questions).toEqual([expect.stringContaining('pool-saturation.png')]);
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
