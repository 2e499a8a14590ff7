import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { englishText, phrase } from './phrase.js';
import { renderPhrase } from './render.js';
import { translatorFor } from './translator.js';

const [german, polish] = await Promise.all([translatorFor('de'), translatorFor('pl')]);

it('the compiler checks codes and parameters of phrases by the English texts', () => {
  const count = 2;
  // @ts-expect-error: there is no such text
  expect(phrase('no_such_text')).toBeDefined();
  // @ts-expect-error: the text has a parameter
  expect(phrase('question.unreadable_files')).toBeDefined();
  // @ts-expect-error: the text has no such parameter
  expect(phrase('file_name.empty', { count })).toBeDefined();
  expect(phrase('question.unreadable_files', { count })).toBeDefined();
});

describe('renderPhrase', () => {
  it('chooses the plural form of the language', () => {
    const files = (count: number) => polish(phrase('question.unreadable_files', { count }));
    expect(files(1)).toContain('1 pliku');
    expect(files(3)).toContain('3 plików');
    expect(englishText(phrase('question.unreadable_files', { count: 1 }))).toMatch(/^1 file cannot/);
    expect(englishText(phrase('question.unreadable_files', { count: 2 }))).toMatch(/^2 files cannot/);
  });

  it('may have another text for 0', () => {
    const texts = { apply: { zero: 'Reject all', one: 'Apply {count}', other: 'Apply {count}' } };
    const shown = [0, 2].map((count) => renderPhrase(texts, 'en', { code: 'apply', params: { count } }));
    expect(shown).toEqual(['Reject all', 'Apply 2']);
  });

  it('renders phrases in parameters in the same language', () => {
    const problem = phrase('file_name.empty');
    expect(german(phrase('invalid_file_name.rename', { problem }))).toBe(
      'Der Dateiname ist leer. Benennen Sie die Datei um und senden Sie sie erneut.',
    );
  });

  it('returns null for an unknown code, also within a parameter', () => {
    const texts = { known: 'It is {problem}.' };
    expect(renderPhrase(texts, 'en', { code: 'toString', params: {} })).toBeNull();
    const problem = { code: 'newer_code', params: {} };
    expect(renderPhrase(texts, 'en', { code: 'known', params: { problem } })).toBeNull();
  });

  it('inserts any value once, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const limit = '{name}';
        expect(englishText(phrase('file_too_large.input', { name, limit }))).toBe(
          `"${name}" is larger than {name} MB. Split it and send the parts.`,
        );
      }),
    );
  });
});
