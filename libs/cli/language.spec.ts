import { afterEach, describe, expect, it } from '@jest/globals';
import { phrase } from '#contracts/phrases/phrase.js';
import { describeQuestion } from './answers/decide.js';
import { chooseLanguage, languageOf, renderText } from './language.js';

describe('the language of the terminal', () => {
  afterEach(() => chooseLanguage({}));

  it.each([
    ['de', { LANG: 'de_AT.UTF-8' }],
    ['pl', { LANG: 'de_DE.UTF-8', LC_MESSAGES: 'pl_PL' }],
    ['en', { LANG: 'pl_PL.UTF-8', LC_MESSAGES: 'de_DE', LC_ALL: 'C.UTF-8' }],
    ['de', { LANG: 'DE', LC_ALL: '' }],
    ['en', { LANG: 'fr_FR.UTF-8' }],
    ['en', { LANG: 'constructor' }],
    ['en', {}],
  ])('is %s for %j', (language, environment) => {
    expect(languageOf(environment)).toBe(language);
  });

  it('renders texts of the service that it has, and English ones otherwise', async () => {
    const known = phrase('not_found.run');
    expect(renderText(known, 'Run not found.')).toBe('Run not found.');
    await chooseLanguage({ LANG: 'pl_PL.UTF-8' });
    expect(renderText(known, 'Run not found.')).toBe('Nie znaleziono przebiegu.');
    expect(renderText(null, 'As the model wrote.')).toBe('As the model wrote.');
    expect(renderText({ code: 'newer', params: {} }, 'Newer text.')).toBe('Newer text.');
  });

  it('renders a question of an older service, which has no phrases, in English', async () => {
    await chooseLanguage({ LANG: 'de_DE.UTF-8' });
    expect(describeQuestion({ question: 'Which one?', context: ['A fact.'] })).toEqual([
      'Which one?',
      '  A fact.',
    ]);
  });
});
