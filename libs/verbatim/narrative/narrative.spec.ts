import { buildLedger, ledgerIssues } from '../ledger.js';
import { pairs, type Pair } from '#testing/narrative-pairs.js';

const issuesOf = (before: string, after: string) =>
  ledgerIssues(
    buildLedger(`# Report\n\n${after}\n`, [{ name: 'a.md', text: `${before}\n` }], { policy: 'narrative' }),
  );

describe('the narrative policy', () => {
  const all = pairs();

  it('X1 has 200 pairs, half of them harmless', () => {
    expect(all).toHaveLength(200);
    expect(all.filter(({ harmless }) => harmless)).toHaveLength(100);
  });

  it.each(all.filter(({ harmless }) => harmless))('X1 accepts "$after"', ({ before, after }) => {
    expect(issuesOf(before, after).map(({ message, error_detail }) => [message, error_detail])).toEqual([]);
  });

  it.each(all.filter(({ harmless }) => !harmless))('X1 reports "$after"', ({ before, after }) => {
    expect(issuesOf(before, after).length).toBeGreaterThan(0);
  });

  it('X1 judges the pairs alike in one document and in another order', () => {
    const sources = [...new Set(all.map(({ before }) => before))];
    const build = (pick: (pair: Pair, index: number) => boolean) => {
      const chosen = sources.map(
        (before) => all.find((pair, index) => pair.before === before && pick(pair, index)) as Pair,
      );
      const manuscript = `# Report\n\n${chosen
        .map(({ after }) => after)
        .reverse()
        .join(' ')}\n`;
      return buildLedger(manuscript, [{ name: 'a.txt', text: `${sources.join('\n')}\n` }], {
        policy: 'narrative',
      });
    };
    expect(ledgerIssues(build(({ harmless }) => harmless))).toEqual([]);
    const harmful = build(({ harmless }) => !harmless);
    expect(harmful.altered.length + harmful.unaccounted.length).toBeGreaterThanOrEqual(45);
  });

  it('X1 requires exact code, and reports a dropped sentence with its line', () => {
    const text = '# A\n\nThe cat sat on the mat. Rain fell all night in Cardiff.\n\n```\na = 1\n```\n';
    const sources = [{ name: 'a.md', text }];
    const clean = buildLedger(
      '# A\n\nAll night rain fell in Cardiff; on the mat the cat sat.\n\n```\na = 1\n```\n',
      sources,
      { policy: 'narrative' },
    );
    expect(ledgerIssues(clean)).toEqual([]);
    expect(clean.coverage).toBe(1);
    const broken = buildLedger('# A\n\nOn the mat the cat sat.\n\n```\na = 2\n```\n', sources, {
      policy: 'narrative',
    });
    expect(ledgerIssues(broken).map(({ source_line, rule }) => [source_line, rule])).toEqual([
      [3, 'SCR-missing'],
      [6, 'SCR-verbatim'],
    ]);
  });

  it('X1 reports hard tokens that no source contains as inventions', () => {
    const sources = [{ name: 'a.md', text: 'The server starts on port 8080.\n' }];
    const ledger = buildLedger(
      '# A\n\nThe server starts on port 8080. It was built by Contoso in 1999.\n',
      sources,
      { policy: 'narrative' },
    );
    expect(ledger.added.find(({ kind }) => kind === 'invention')?.tokens).toEqual(['Contoso', '1999']);
  });

  it('X1 compares fenced lines of plain text exactly, and the rest by sentences', () => {
    const text = 'ServerRoot /srv\nListen 9090\n\nThe server starts on port 8080.\n';
    const manuscript =
      '# Conf\n\n```text\nServerRoot /srv\nListen 9090\n```\n\nOn port 8080 the server is started.\n';
    const issues = (changed: string) =>
      ledgerIssues(buildLedger(changed, [{ name: 'conf', text }], { policy: 'narrative' }));
    expect(issues(manuscript)).toEqual([]);
    expect(issues(manuscript.replace('Listen 9090', 'Listen 9091'))).not.toEqual([]);
    expect(issues(manuscript.replace('Listen 9090\n', ''))).not.toEqual([]);
    expect(issues(manuscript.replace('On port 8080', 'On port 8081'))).not.toEqual([]);
  });

  it('X1 accepts the omission of a heading without words', () => {
    const sources = [{ name: 'a.md', text: 'Some words.\n\n#####\n\nMore words.\n' }];
    const ledger = buildLedger('Some words.\n\nMore words.\n', sources, { policy: 'narrative' });
    expect(ledgerIssues(ledger)).toEqual([]);
  });
});
