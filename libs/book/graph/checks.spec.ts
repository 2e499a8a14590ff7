import { logPassage } from '#testing/log-passage.js';
import { ruleScore } from '../versions/score.js';
import { auditOf, reviewByRules, withReviewer } from './checks.js';

const passage = logPassage(
  'The plant has three rows of tanks. A row holds 14 tanks, of which two are kept as a reserve.',
);
const DRAFT = '## Tanks\n\nThe plant has three rows of tanks.[^s1] All in all, 36 tanks are in use.[^s1]\n';
const judgement = { score: 95, should_revise: false, comments: '', reviewer: 'm', findings: [] };
const given = { minimum: 0, revision: 0, fallbackStages: [] };

const asked = { profile: {}, minimum: 0, known: '', headings: null };

describe('X15 a figure that the reviewer of a chapter calculates from its passages', () => {
  const review = reviewByRules(DRAFT, [passage], [], asked);
  const [open] = review.findings;
  const proof = {
    finding_id: open!.id,
    quotes: ['three rows of tanks', '14 tanks, of which two are kept'],
    calculation: '(14 - 2) * 3',
  };
  const audit = (verdicts: (typeof proof)[]) =>
    auditOf(judgement, withReviewer(DRAFT, review, verdicts, [passage]), given);

  it('costs no points, wants no revision and counts as supported', () => {
    expect(review.findings).toMatchObject([{ rule: 'citation-open-number', severity: 'info' }]);
    expect(audit([proof])).toMatchObject({
      score: 95,
      effective_should_revise: false,
      citation_coverage: 1,
      findings: [{ rule: 'citation-calculated', severity: 'info' }],
    });
  });

  it('becomes an error that wants a revision if the calculation is wrong or missing', () => {
    for (const verdicts of [[], [{ ...proof, calculation: '14 * 3' }]])
      expect(audit(verdicts)).toMatchObject({
        score: 94,
        effective_should_revise: true,
        citation_coverage: 0.5,
        findings: [{ rule: 'citation-unsupported-number', severity: 'error' }],
      });
  });

  it('lists new facts of fiction as such, not as left out', () => {
    const audit = auditOf(judgement, review, { ...given, newFacts: ['Ena has a brother'] });
    expect(audit).toMatchObject({ new_facts: ['Ena has a brother'], gaps: [] });
    expect(audit.comments).toBe('\nNew: Ena has a brother');
  });

  it('costs points as an open claim where nobody reviews', () => {
    expect(ruleScore(review)).toBe(98);
  });
});

describe('B9 the score of a chapter counts its length and form, whoever reviewed it', () => {
  const words = (count: number) => `## Tanks\n\n${'It was so. '.repeat(count / 3)}\n`;
  const scores = (text: string, minimum: number, headings: string[] | null = null) => {
    const rules = reviewByRules(text, [], [], { ...asked, minimum, headings });
    return [ruleScore(rules), 100].map(
      (score) => auditOf({ ...judgement, score }, rules, { ...given, minimum }).score,
    );
  };

  it.each([
    ['a whole text', words(900), 900, null, 100],
    ['59 of 900 words', words(59), 900, null, 60],
    ['more than half of its length', words(600), 900, null, 86],
    ['a text that breaks off', `${words(900).trim()} And then`, 900, null, 60],
    ['other headings than planned', words(900), 900, ['Rows'], 80],
    ['the planned headings', words(900), 900, ['Tanks'], 100],
  ])('%s', (_, text, minimum, headings, score) => {
    for (const one of scores(text, minimum, headings)) {
      expect(one).toBeLessThanOrEqual(score + 1);
      expect(one).toBeGreaterThanOrEqual(score - 3);
    }
  });
});
