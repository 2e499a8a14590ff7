import fc from 'fast-check';
import { z } from 'zod';
import { readJson } from './structured.js';

const plan = z.object({ sections: z.array(z.object({ title: z.string() })), intent: z.string().default('') });
const PLAN = { sections: [{ title: 'Tides' }], intent: '' };

describe('JSON in the answer of a model', () => {
  it.each([
    ['alone', '{"sections": [{"title": "Tides"}]}'],
    ['in a code fence', '```json\n{"sections": [{"title": "Tides"}]}\n```'],
    ['after words that cite', 'As [s2] and {s3} say:\n\n{"sections": [{"title": "Tides"}]}\n\nSee [s1].'],
    ['with trailing commas', '{"sections": [{"title": "Tides",},\n],\n}'],
    ['with curly quotes', '{“sections”: [{“title”: “Tides”}]}'],
    ['with mixed quotes', '{„sections”: [{"title": “Tides”}]}'],
    ['as a bare list', '[{"title": "Tides"}]'],
  ])('is read %s', (_, answer) => expect(readJson(plan, answer)).toEqual(PLAN));

  it('keeps quotes and line breaks in strings', () => {
    const text = z.object({ text: z.string() });
    expect(readJson(text, '{"text": "one\n\ttwo",}')).toEqual({ text: 'one\n\ttwo' });
    expect(readJson(text, '{“text”: “he said "yes", and “no” too”}')).toEqual({
      text: 'he said "yes", and “no” too',
    });
    expect(readJson(text, '{"text": "“quoted”, [s2] and a \\"word\\""}')).toEqual({
      text: '“quoted”, [s2] and a "word"',
    });
  });

  it.each([
    ['nothing', 'it holds no JSON.'],
    ['{"sections": [{"title": "Ti', 'its JSON is not complete or not valid.'],
    [
      '{"sections": "all"}',
      'its JSON does not fit: sections: Invalid input: expected array, received string',
    ],
  ])('explains what is wrong with %s', (answer, message) =>
    expect(() => readJson(plan, answer)).toThrow(message),
  );

  it('returns every JSON value unchanged, whatever words are around it', () => {
    const words = fc.stringMatching(/^[^{}[\]]*$/);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), words, words, (value, before, after) => {
        const json = JSON.stringify(value);
        expect(readJson(z.unknown(), `${before}${json}${after}`)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('reads or rejects anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:“” a\\\n1') }), (answer) => {
        try {
          readJson(plan, answer);
        } catch (error) {
          expect((error as Error).message).toMatch(/^it/);
        }
      }),
    );
  });
});
