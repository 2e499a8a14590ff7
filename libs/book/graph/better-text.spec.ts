import type { ChapterReview } from '../contract/review.js';
import { auditOf } from './checks.js';
import { scoreOfBetterText } from './better-text.js';
import type { BookPorts, PresentText } from './ports.js';

const TEXT = '## Lamps\n\nThe lamp was lit.\n';
const noFindings = {
  findings: [],
  citations: { findings: [], statements: 0, supported: 0, coverage: 1 },
  guardrails: [],
  words: 4,
  minimum: 0,
};
const reviewOf = (score: number, guardrails: ChapterReview['guardrails'] = []): ChapterReview =>
  auditOf(
    { score, should_revise: false, comments: '', reviewer: 'm', findings: [] },
    { ...noFindings, guardrails } as never,
    { minimum: 0, revision: 0, fallbackStages: [] },
  );
const before = (more: Partial<PresentText> = {}): PresentText => ({
  version: 1,
  content: TEXT,
  review: reviewOf(85),
  byPerson: false,
  rejections: [],
  kept: [],
  citations: [],
  ...more,
});
const ports = { rules: { call: () => Promise.resolve(noFindings) } } as unknown as BookPorts;
const steering = { present: TEXT, feedback: 'Shorter.', rejections: [], kept: [] };

describe('B9 B10 a chapter that is written again', () => {
  const kept = (text: PresentText | null, score: number, more = {}) =>
    scoreOfBetterText(ports, text, {
      review: reviewOf(score),
      steering: null,
      others: [],
      asked: { profile: {}, minimum: 0, known: '', headings: null },
      ...more,
    });

  it('keeps the better text', async () => {
    expect(await kept(before(), 70)).toEqual({ score: 85 });
    expect(await kept(before(), 95, { review: reviewOf(95, ['too_short']) })).toEqual({ score: 85 });
    expect(await kept(before(), 85)).toBeNull();
    expect(await kept(before(), 90)).toBeNull();
  });

  it('replaces no text, a compiled text, and a text whose author asked for the revision', async () => {
    expect(await kept(null, 10)).toBeNull();
    const compiled = { ...reviewOf(100), fallback_stages: ['draft_chapter'] };
    expect(await kept(before({ review: compiled }), 70)).toBeNull();
    expect(await kept(before(), 70, { steering })).toBeNull();
  });

  it('keeps a text that a person changed during the run', async () => {
    const edited = before({ byPerson: true, review: null, content: `${TEXT}\nMine.\n` });
    expect(await kept(edited, 99)).toEqual({ score: null });
    expect(await kept(edited, 99, { steering })).toEqual({ score: null });
    expect(await kept(before({ byPerson: true }), 70, { steering })).toBeNull();
  });
});
