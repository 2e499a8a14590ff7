import { auditOf, calculated, reviewByRules } from './checks.js';

const passage = {
  id: 'p1',
  label: 's1',
  source_id: 'src_1',
  source_title: 'Log',
  author: null,
  text: 'The plant has three rows of tanks. A row holds 14 tanks, of which two are kept as a reserve.',
  span: { start: 0, end: 90 },
  heading_path: [],
  weight: 3,
};
const DRAFT = '## Tanks\n\nThe plant has three rows of tanks.[^s1] All in all, 36 tanks are in use.[^s1]\n';
const judgement = { score: 95, should_revise: false, comments: '', reviewer: 'm', findings: [] };
const given = { minimum: 0, revision: 0, fallbackStages: [] };

describe('B26 a figure that the reviewer of a chapter calculates from its passages', () => {
  const review = reviewByRules(DRAFT, [passage], [], { profile: {}, minimum: 0, known: '' });
  const proof = {
    figure: '36',
    quotes: ['three rows of tanks', '14 tanks, of which two are kept'],
    calculation: '(14 - 2) * 3',
  };

  it('costs no points, wants no revision and counts as supported', () => {
    expect(auditOf(judgement, review, given)).toMatchObject({
      score: 94,
      effective_should_revise: true,
      citation_coverage: 0.5,
      findings: [{ rule: 'citation-unsupported-number' }],
    });
    expect(auditOf(judgement, calculated(DRAFT, review, [proof]), given)).toMatchObject({
      score: 95,
      effective_should_revise: false,
      citation_coverage: 1,
      findings: [{ rule: 'citation-calculated', severity: 'info' }],
    });
  });

  it('stays an error if the calculation is wrong', () => {
    const wrong = { ...proof, calculation: '14 * 3' };
    expect(calculated(DRAFT, review, [wrong])).toEqual(review);
  });
});
