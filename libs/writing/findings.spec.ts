import type { Finding } from '#contracts/findings.js';
import { withOverruled } from '#contracts/findings.js';
import fc from 'fast-check';
import { checkCitations } from './citations.js';
import { finding } from './findings.js';
import { splitParagraphs } from './paragraphs.js';
import { withVerdicts } from './proofs/proofs.js';

const passage = {
  label: 's1',
  source_id: 'src_1',
  source_title: 'Log',
  text: 'The tower was built in 1888.',
  span: { start: 0, end: 28 },
  heading_path: [],
};
const found = (text: string): Finding[] => checkCitations(text, [passage]).findings;
const subjects = (findings: Finding[]) => findings.map(({ subject }) => subject);

describe('B26 the subject of a finding', () => {
  it('is the claim in its sentence, wherever it is and whether or not a reviewer has read it', () => {
    const text = 'It was built in 1886 and repaired in 1901.[^s1]\n';
    const open = found(text);
    expect(new Set(subjects(open)).size).toBe(2);
    const moved = found(`Words before it.\n\n${text.replace('and repaired', 'and\nrepaired')}`);
    expect(subjects(moved)).toEqual(subjects(open));
    const refuted = withVerdicts(text, open, [], [passage]);
    expect(refuted.map(({ rule }) => rule)).toEqual(
      open.map(({ rule }) => rule.replace('open', 'unsupported')),
    );
    expect(subjects(refuted)).toEqual(subjects(open));
  });

  it('is another one when the sentence changes', () => {
    const words = fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,4}$/);
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [here, there] = [one, other].map((text) =>
          finding(text, splitParagraphs(text), {
            rule: 'r',
            severity: 'info',
            message: 'm',
            span: { start: 0, end: text.length },
          }),
        );
        expect(here!.subject === there!.subject).toBe(one === other);
        const ruling = { subject: here!.subject!, by: 'key_1', at: '2026-11-28T09:00:00.000Z', reason: null };
        const [marked] = withOverruled([there!], [ruling]);
        expect(marked!.overruled !== undefined).toBe(one === other);
        expect(withOverruled([marked!], [])).toEqual([there]);
      }),
    );
  });
});
