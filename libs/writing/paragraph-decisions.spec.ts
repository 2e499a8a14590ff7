import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyMarkdown } from '#testing/any-markdown.js';
import { applyDecisions, revisionChanges } from './paragraph-decisions.js';

const BASE = '## A\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n';
const REVISED = '## A\n\nOne, new.\n\nTwo, new.\n\nThree.\n\nThree and a half.\n';

describe('X8 decisions about single paragraphs of a revision', () => {
  it('X8 lists the changed paragraphs of a revision', () => {
    expect(revisionChanges(BASE, REVISED).map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['replaced', 'One.', 'One, new.'],
      ['replaced', 'Two.', 'Two, new.'],
      ['replaced', 'Four.', 'Three and a half.'],
    ]);
  });

  it('X8 applies accepted changes and leaves every other byte unchanged', () => {
    const [first, second] = revisionChanges(BASE, REVISED);
    const text = applyDecisions(BASE, REVISED, [
      { change_id: second?.id ?? '', accepted: true, reason: null },
      { change_id: first?.id ?? '', accepted: false, reason: 'Too long.' },
    ]);
    expect(text).toBe(BASE.replace('Two.', 'Two, new.'));
  });

  it('X8 returns the base if all are rejected, and the revision if all are accepted, for any two texts', () => {
    fc.assert(
      fc.property(anyMarkdown, anyMarkdown, (base, revised) => {
        const changes = revisionChanges(base, revised);
        const decide = (accepted: boolean) =>
          changes.map(({ id }) => ({ change_id: id, accepted, reason: null }));
        expect(applyDecisions(base, revised, decide(false))).toBe(base);
        if (changes.length > 0) expect(applyDecisions(base, revised, decide(true))).toBe(revised);
      }),
      { numRuns: 300 },
    );
  });

  it('X8 leaves rejected parts byte-identical, for any mixture of decisions', () => {
    const paragraphs = fc.array(fc.constantFrom('Alpha.', 'Beta.', 'Gamma.', '## Head', '- item', '> said'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(paragraphs, paragraphs, fc.infiniteStream(fc.boolean()), (one, two, picks) => {
        const [base, revised] = [`${one.join('\n\n')}\n`, `${two.join('\n\n')}\n`];
        const changes = revisionChanges(base, revised);
        const decisions = changes.map(({ id }) => ({
          change_id: id,
          accepted: picks.next().value,
          reason: null,
        }));
        const text = applyDecisions(base, revised, decisions);
        let expected = '';
        let at = 0;
        changes.forEach((change, i) => {
          expected += base.slice(at, change.base.start);
          expected += decisions[i]?.accepted ? change.after : change.before;
          at = change.base.end;
        });
        expected += base.slice(at);
        const all = changes.length > 0 && decisions.every(({ accepted }) => accepted);
        expect(text).toBe(all ? revised : expected);
      }),
      { numRuns: 300 },
    );
  });
});
