import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { build } from '../build.js';
import { buildLedger, type Ledger, ledgerIssues, type LedgerSource } from '../ledger.js';
import { reduce } from './reduce.js';

const LINES = Array.from({ length: 9000 }, (_, i) =>
  i % 17 === 5
    ? ''
    : `2026-03-01 10:00:00 worker-${i % 9} ${i % 3 ? `request ${i}` : 'heartbeat'} status ${i % 50}`,
);
const POLICY = { policy: 'verbatim' } as const;
const fenced = (lines: string[]) => `# Log\n\n\`\`\`log\n${lines.join('\n')}\n\`\`\`\n`;
const log: LedgerSource = { name: 'a.log', text: `${LINES.join('\n')}\n` };

/** Facts on which both ways must agree; they may report different ones of two equal lines. */
function figures(ledger: Ledger) {
  const { lines, carried, altered, unaccounted, omitted, kinds } = ledger.files[0] as Ledger['files'][number];
  return {
    coverage: ledger.coverage,
    manuscript: ledger.manuscript,
    lines,
    carried,
    altered,
    unaccounted,
    omitted,
    kinds,
  };
}

function sums(ledger: Ledger) {
  const { lines, carried, altered, unaccounted, omitted, kinds } = ledger.files[0] as Ledger['files'][number];
  const { manuscript } = ledger;
  return {
    complete: ledger.coverage === 1,
    lines,
    sum: carried + altered + unaccounted + omitted,
    kinds: Object.entries(kinds).map(([kind, own]) => [kind, own.lines]),
    manuscript: [manuscript.lines, manuscript.carried + manuscript.added, manuscript.blank],
  };
}

describe('reduce', () => {
  it('X1 shortens long equal parts without changing the ledger', () => {
    const manuscript = fenced(LINES);
    const reduced = reduce(manuscript, [log], POLICY);
    expect(reduced?.manuscript.length).toBeLessThan(1000);
    expect(buildLedger(manuscript, [log], POLICY)).toEqual(build(manuscript, [log], POLICY));
  });

  it('X1 yields the sums of the unreduced texts for any few edits', () => {
    const edit = fc.tuple(
      fc.constantFrom('drop', 'double', 'change', 'swap', 'insert'),
      fc.integer({ min: 0, max: LINES.length - 2 }),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 5 }), (edits) => {
        const lines = [...LINES];
        for (const [how, at] of edits) {
          const line = lines[at] as string;
          if (how === 'drop') lines.splice(at, 1);
          else if (how === 'double') lines.splice(at, 0, line);
          else if (how === 'change') lines[at] = `${line}?`;
          else if (how === 'insert') lines.splice(at, 0, 'invented');
          else lines.splice(at, 2, lines[at + 1] as string, line);
        }
        const manuscript = fenced(lines);
        const fast = buildLedger(manuscript, [log], POLICY);
        const slow = build(manuscript, [log], POLICY);
        // Of several edits in one place each way may find another explanation; of one there is only one.
        if (edits.length === 1) expect(figures(fast)).toEqual(figures(slow));
        expect(sums(fast)).toEqual(sums(slow));
        expect(ledgerIssues(fast).length > 0).toBe(lines.join('\n') !== LINES.join('\n'));
        for (const { line, manuscript_line: at, count } of fast.runs) {
          expect(lines.slice(at - 4, at - 4 + count)).toEqual(LINES.slice(line - 1, line - 1 + count));
        }
      }),
      { numRuns: atDepth({ quick: 25, full: 60 }) },
    );
  });

  it('X1 does not reduce equal parts outside a plain fence', () => {
    const indented = LINES.map((line) => ` ${line}`);
    const source = { name: 'a.log', text: `${indented.join('\n')}\n` };
    const manuscript = `# Log\n\n  \`\`\`log\n${indented.join('\n')}\n  \`\`\`\n`;
    expect(reduce(manuscript, [source], POLICY)).toBeNull();
    expect(buildLedger(manuscript, [source], POLICY).coverage).toBeLessThan(1);
    expect(reduce(`# Log\n\n${LINES.join('\n')}\n`, [log], POLICY)).toBeNull();
  });

  it('X1 does not reduce equal files and lines that look like fences', () => {
    const twice = `${fenced(LINES)}\n${fenced(LINES)}`;
    const both = [log, { ...log, name: 'b.log' }];
    expect(reduce(twice, both, POLICY)).toBeNull();
    expect(buildLedger(twice, both, POLICY).coverage).toBe(1);
    const ticks = LINES.map((line, i) => (i % 100 === 0 ? '```' : line));
    expect(reduce(fenced(ticks), [{ name: 'a.log', text: `${ticks.join('\n')}\n` }], POLICY)).toBeNull();
  });
});
