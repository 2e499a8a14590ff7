import { describe, expect, it } from '@jest/globals';
import { translatorFor } from '#contracts/phrases/translator.js';
import type { BookProfile } from '../contract/profile.js';
import { finalize, isFinalizing, choicesFor } from './finalize.js';
import { isGrounded, titleProblem } from './title.js';

const COMPLETE: BookProfile = {
  title: 'The Keepers of Marrow Point',
  genre: 'History',
  target_audience: 'General readers',
  tone: 'Vivid',
  language: 'en',
  chapter_length: 'short',
  chapter_count: 8,
};
const said = (content: string) => [{ role: 'user' as const, content }];

describe('finalising a profile', () => {
  it.each(['en', 'de', 'pl'])('B18 is what the quick answer says in %s', async (language) => {
    const translate = await translatorFor(language);
    const [answer] = choicesFor(null).choice_phrases!;
    const text = translate(answer!);
    expect(isFinalizing(said(text))).toBe(true);
    expect(isFinalizing(said(` ${text.toUpperCase()}! `))).toBe(true);
    expect(isFinalizing([{ role: 'assistant', content: text }])).toBe(false);
    expect(isFinalizing([...said(text), ...said('no, wait')])).toBe(false);
  });

  it.each(['finalize the title first', 'please finalize', 'I am done', 'nicht fertig'])(
    'X21 is not read from the sentence %j',
    (sentence) => expect(isFinalizing(said(sentence))).toBe(false),
  );

  it('B17 needs every required field', () => {
    expect(finalize(COMPLETE)).toMatchObject({ is_finalized: true, missing_required: [], next_field: null });
    const { tone: _, language: __, ...partial } = COMPLETE;
    const reply = finalize(partial);
    expect(reply).toMatchObject({ is_finalized: false, missing_required: ['tone', 'language'] });
    expect(reply).toMatchObject({ next_field: 'tone', choices: expect.arrayContaining(['Vivid']) });
    expect(reply.assistant_reply).toBe('Not yet. Still missing: tone, language. What tone should it have?');
  });

  it.each(['Untitled', 'hi', 'my book', 'TBD', '???', 'x', 'Test.'])(
    'B17 is refused with the placeholder title %j',
    (title) => {
      expect(titleProblem(title)).not.toBeNull();
      const reply = finalize({ ...COMPLETE, title });
      expect(reply).toMatchObject({ is_finalized: false, next_field: 'title', missing_required: ['title'] });
    },
  );
});

it("B17 a title is grounded if each of its words is in the author's words", () => {
  const words = 'I want to write about the keepers of the lighthouse at Marrow Point and their storms.';
  expect(isGrounded('Keepers of the Lighthouse', words)).toBe(true);
  expect(isGrounded('The Storm Keeper', words)).toBe(true);
  expect(isGrounded('Blockchain for Dummies', words)).toBe(false);
  expect(isGrounded('Keepers of the Blockchain', words)).toBe(false);
});
