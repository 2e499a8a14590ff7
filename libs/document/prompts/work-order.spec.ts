import fc from 'fast-check';
import type { ValidationIssue } from '#contracts/manuscript.js';
import { parseWorkOrder } from '#testing/read-work-order.js';
import {
  renderWorkOrder,
  shortenWorkOrder,
  type WorkOrder,
  mostUseful,
  renderIssues,
  repairCalls,
} from './work-order.js';

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('a\nb', '"q"', '\\', '## Files', '- x', 'lines 3 | MD', 'null', '…'),
);
const name = fc.string({ minLength: 1 }).filter((key) => key !== '__proto__');
const line = fc.integer({ min: 0, max: 99_999 });
const issue: fc.Arbitrary<ValidationIssue> = fc.record(
  {
    line_number: line,
    rule: fc.constantFrom('MD001', 'SCR-fence'),
    rule_description: text,
    message: text,
    error_detail: fc.option(text),
    last_line_number: fc.integer({ min: 100_000, max: 199_999 }),
    source_file: name,
    source_line: fc.integer({ min: 1, max: 9_999 }),
  },
  { requiredKeys: ['line_number', 'rule', 'rule_description', 'message', 'error_detail'] },
);
const withoutSourceGap = issue.filter(
  (one) => one.source_line === undefined || one.source_file !== undefined,
);
const order: fc.Arbitrary<WorkOrder> = fc.record({
  session_id: fc.constantFrom('ses_1', 'x'),
  title: fc.option(fc.record({ text, given: fc.boolean() })),
  has_summary: fc.boolean(),
  chapter: fc.nat(),
  file_count: fc.nat(),
  current_file: fc.option(name),
  files: fc.array(fc.record({ name, written: fc.boolean(), about: fc.constantFrom('', 'log, 3 lines') }), {
    maxLength: 5,
  }),
  folders: fc.array(fc.record({ name, about: fc.constantFrom('', '3 files: 3 ts') }), { maxLength: 3 }),
  files_complete: fc.boolean(),
  assets: fc.array(name, { maxLength: 3 }),
  asset_count: fc.nat(),
  open_references: fc.array(name, { maxLength: 3 }),
  decisions: fc.dictionary(name, text, { maxKeys: 3 }),
  validation: fc.constantFrom('due', 'passed', 'failed'),
  fix_attempts: fc.nat(),
  issues: fc.array(withoutSourceGap, { maxLength: 10 }),
  more_issues: fc.nat(),
  error: fc.option(fc.record({ type: fc.constantFrom('conversion_failed', 'x'), message: text })),
  conversion_attempts: fc.nat(),
  idle_calls: fc.nat(),
  last_checkpoint: fc.option(name),
  outline: fc.array(fc.record({ level: fc.integer({ min: 1, max: 6 }), line, title: text }), {
    maxLength: 4,
  }),
  earlier_headings: fc.nat(),
  tail: text,
});

describe('work order', () => {
  it('is parsed as it was written, for any names and texts', () => {
    fc.assert(
      fc.property(order, (one) => {
        expect(parseWorkOrder(renderWorkOrder(one))).toEqual({ ...one, decisions: { ...one.decisions } });
      }),
    );
  });

  it('loses the last half of its issues and all but the end of the tail when it is too long', () => {
    fc.assert(
      fc.property(order, (one) => {
        const shorter = parseWorkOrder(shortenWorkOrder(renderWorkOrder(one), 5));
        const issues = one.issues.slice(0, Math.ceil(one.issues.length / 2));
        const tail = one.tail.slice(-5).toWellFormed();
        expect(shorter).toEqual({ ...one, decisions: { ...one.decisions }, issues, tail });
      }),
    );
    expect(shortenWorkOrder('WORK ORDER\nof something else', 5)).toBe('WORK ORDER\nof something else');
  });

  it('is not recognized in other texts', () => {
    expect(parseWorkOrder('Write me a poem')).toBeNull();
    expect(parseWorkOrder('WORK ORDER\nof something else')).toBeNull();
  });

  const found = (line_number: number, more: Partial<ValidationIssue> = {}): ValidationIssue => ({
    ...{
      line_number,
      rule: 'SCR-added',
      rule_description: 'd',
      message: `m ${line_number}`,
      error_detail: null,
    },
    ...more,
  });

  it('D16 D17 has at most ten findings, those of the most lines first, and says how many are left', () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      found(index + 1, { message: 'm'.repeat(5_000 + index) }),
    );
    const alike = Array.from({ length: 30 }, (_, index) =>
      found(index + 1, { rule: 'MD022', message: 'same' }),
    );
    const large = found(9, { last_line_number: 90 });
    const { issues, more_issues } = mostUseful([...many, ...alike, large, found(7, { rule: 'SCR-fence' })]);
    expect(issues.map(({ rule, line_number }) => [rule, line_number])).toEqual([
      ['SCR-fence', 7],
      ['SCR-added', 9],
      ...alike.slice(0, 20).map(({ line_number }) => ['MD022', line_number]),
      ...many.slice(0, 7).map(({ line_number }) => ['SCR-added', line_number]),
    ]);
    expect(more_issues).toBe(3_032 - issues.length);
    const [sample] = fc.sample(order, 1) as [WorkOrder];
    const rendered = renderWorkOrder({ ...sample, issues, more_issues });
    expect(rendered).toContain(`${more_issues} more issues are not shown`);
  });

  it('names the tool call that mends a finding', () => {
    const log = { source_file: 'a.log', source_line: 11, last_source_line: 32 };
    expect(repairCalls(found(0, { rule: 'SCR-missing', ...log, after_line: 13 }))).toEqual([
      ['place_source', { filename: 'a.log', from_line: 11, to_line: 32, as: 'fence', after_line: 13 }],
    ]);
    expect(
      repairCalls(found(42, { rule: 'SCR-missing', last_line_number: 63, ...log, after_line: 13 })),
    ).toEqual([['move_lines', { from_line: 42, to_line: 63, after_line: 13 }]]);
    expect(repairCalls(found(5, { last_line_number: 6 }))).toEqual([
      ['replace_lines', { from_line: 5, to_line: 6, new_content: '' }],
    ]);
    expect(repairCalls(found(5, { rule: 'SCR-verbatim', last_line_number: 6, ...log }))).toEqual([
      ['replace_lines', { from_line: 5, to_line: 6, new_content: '' }],
      ['place_source', { filename: 'a.log', from_line: 11, to_line: 32, as: 'fence', after_line: 4 }],
    ]);
    expect(repairCalls(found(5, { rule: 'MD022' }))).toEqual([]);
    const [rendered] = renderIssues([
      found(42, { rule: 'SCR-missing', last_line_number: 63, ...log, after_line: 13 }),
    ]);
    expect(rendered).toMatch(
      /^- lines 42-63 .* \| "a\.log" lines 11-32 \| call move_lines \{"from_line":42,/,
    );
  });
});
