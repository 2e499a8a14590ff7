import { logPassage } from '#testing/log-passage.js';
import { auditOf, reviewByRules, withReviewer } from '../graph/checks.js';
import { judgementOf } from '../graph/reviewer.js';
import { judgedByRules, overruledIn } from './score.js';

const passage = logPassage('The tower was built in 1888.');
const DRAFT = '## Tower\n\nThe tower was built in 1886.[^s1] It was bold. It stood alone.\n';
const asked = { profile: {}, minimum: 0, known: '', headings: null };
const given = { minimum: 0, revision: 0, fallbackStages: [] };
const ruling = { by: 'key_1', at: '2026-11-28T09:00:00.000Z', reason: null };
const calledWrong = (...findings: { subject?: string }[]) =>
  findings.map(({ subject }) => ({ ...ruling, subject: subject! }));

describe('B26 a finding that the author called wrong', () => {
  const scores = { support: 95, coverage: 95, continuity: 95, structure: 95, style: 95 };
  const bold = {
    kind: 'unsupported' as const,
    why: 'No passage says so.',
    fix: '',
    severity: 'severe' as const,
  };
  const reviewed = (quote: string, overruled = calledWrong()) => {
    const rules = reviewByRules(DRAFT, [passage], [], { ...asked, overruled });
    const answer = { findings: [{ ...bold, quote }], proofs: [], scores };
    const judgement = judgementOf(answer, DRAFT, 'm', overruled);
    return auditOf(judgement, withReviewer(DRAFT, rules, [], [passage]), given);
  };
  const review = reviewed('bold');

  it('counts for nothing in the score, and asks for no revision', () => {
    expect(review).toMatchObject({ score: 60, effective_should_revise: true });
    const [refuted, invented] = review.findings;
    expect(overruledIn(review, calledWrong(invented!))).toMatchObject({
      score: 94,
      should_revise: false,
      effective_should_revise: true,
      findings: [refuted, { ...invented, overruled: ruling }],
    });
    const all = overruledIn(review, calledWrong(refuted!, invented!));
    expect(all).toMatchObject({ score: 95, effective_should_revise: false });
    expect(overruledIn(all, [])).toEqual(review);
  });

  it('stays overruled in a new review of the same sentence, whatever words the reviewer quotes', () => {
    const again = reviewed('It was bold.', calledWrong(...review.findings));
    expect(again).toMatchObject({ score: 95, should_revise: false, effective_should_revise: false });
    expect(again.findings.map(({ overruled }) => overruled)).toEqual([ruling, ruling]);
  });

  it('leaves other findings alone, and the score of an older release', () => {
    const other = reviewed('alone', calledWrong(...review.findings));
    expect(other).toMatchObject({ score: 60, effective_should_revise: true });
    const { reviewer_score: _, ...older } = review;
    const marked = overruledIn(older, calledWrong(...review.findings));
    expect([marked.score, marked.findings[0]!.overruled]).toEqual([60, ruling]);
  });

  it('costs nothing where rules judge', () => {
    const rules = reviewByRules(DRAFT, [passage], [], asked);
    const byRules = auditOf(
      { ...judgedByRules(rules), comments: '', reviewer: 'rules', findings: [] },
      rules,
      given,
    );
    expect(byRules.score).toBe(98);
    expect(overruledIn(byRules, calledWrong(...byRules.findings)).score).toBe(100);
  });
});
