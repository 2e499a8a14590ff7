import { readFileSync } from 'node:fs';
import { drafts, sentences } from './reviewed-set.js';
import { flagged, review } from './review.js';

/** Answers of two honest reviewers, who saw nothing but the prompts, by the name of the draft. */
const answers = JSON.parse(
  readFileSync(new URL('../../fixtures/claims/answers.json', import.meta.url), 'utf8'),
) as Record<string, object>;

const MOST_FALSE = 2;
const FOUND = 0.95;

/** Replays the reviewers' answers. No rule is added for a sentence of this set. */
describe('X15 sentences of authors who did not know the rules, with the answers of a reviewer', () => {
  const wrong = new Set(sentences.flatMap((one) => (one.wrong === undefined ? [] : [one.sentence])));
  const found: string[] = [];

  beforeAll(async () => {
    for (const draft of drafts()) {
      const { reviewed } = await review(draft, () => JSON.stringify(answers[draft.name]));
      found.push(...flagged(draft, reviewed));
    }
  });

  it('X15 at most 2 of 200 honest sentences have a finding', () => {
    expect(sentences.length - wrong.size).toBe(200);
    const reported = found.filter((sentence) => !wrong.has(sentence));
    expect([reported, reported.length <= MOST_FALSE]).toEqual([expect.any(Array), true]);
  });

  it('X15 at least 95 of 100 dishonest sentences have one', () => {
    const missed = [...wrong].filter((sentence) => !found.includes(sentence));
    expect([missed, missed.length <= wrong.size * (1 - FOUND)]).toEqual([expect.any(Array), true]);
  });
});
