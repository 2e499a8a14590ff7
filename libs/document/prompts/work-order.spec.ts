import fc from 'fast-check';
import type { ValidationIssue } from '#contracts/manuscript.js';
import { parseWorkOrder } from '#testing/read-work-order.js';
import { renderWorkOrder, shortenWorkOrder, type WorkOrder } from './work-order.js';

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
  chapter: fc.nat(),
  file_count: fc.nat(),
  current_file: fc.option(name),
  files: fc.array(fc.record({ name, written: fc.boolean() }), { maxLength: 5 }),
  files_complete: fc.boolean(),
  assets: fc.array(name, { maxLength: 3 }),
  asset_count: fc.nat(),
  open_references: fc.array(name, { maxLength: 3 }),
  decisions: fc.dictionary(name, text, { maxKeys: 3 }),
  validation: fc.constantFrom('none', 'passed', 'failed'),
  fix_attempts: fc.nat(),
  issues: fc.array(withoutSourceGap, { maxLength: 10 }),
  error: fc.option(fc.record({ type: fc.constantFrom('conversion_failed', 'x'), message: text })),
  conversion_attempts: fc.nat(),
  idle_calls: fc.nat(),
  last_checkpoint: fc.option(name),
  outline: fc.array(fc.record({ level: fc.integer({ min: 1, max: 6 }), line, title: text }), {
    maxLength: 4,
  }),
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

  it('D16 D17 keeps the line number of every issue and stays short if there are many', () => {
    const issues = Array.from({ length: 3_000 }, (_, index) => ({
      line_number: index + 1,
      rule: index % 2 === 0 ? 'MD031' : 'MD022',
      rule_description: 'd'.repeat(500),
      message: `${index}${'m'.repeat(5_000)}`,
      error_detail: 'e'.repeat(5_000),
    }));
    const [sample] = fc.sample(order, 1) as [WorkOrder];
    const rendered = renderWorkOrder({ ...sample, issues });
    const numbers = parseWorkOrder(rendered)
      ?.issues.map((one) => one.line_number)
      .sort((a, b) => a - b);
    expect(numbers).toEqual(issues.map((one) => one.line_number));
    expect(rendered.length).toBeLessThan(30_000);
  });
});
