import { stemsOf, detectLanguage, detectSourceLanguage } from './stems.js';
import { trigramsOf, wordsOf } from './words.js';

describe('words and languages', () => {
  it('B14 recognizes words in all scripts', () => {
    expect(wordsOf("It’s the ﬁrst CAFÉ, naïve_name x-1")).toEqual(["it's", 'the', 'first', 'café', 'naïve', 'name', 'x', '1']);
    expect(wordsOf('漢字かな')).toEqual(['漢字', '字か', 'かな']);
    expect(wordsOf('Привет, мир! مرحبا')).toEqual(['привет', 'мир', 'مرحبا']);
    expect(trigramsOf('łódź')).toEqual([' lo', 'lod', 'odz', 'dz ']);
  }); // prettier-ignore

  it('B14 stems by language', () => {
    expect(stemsOf('książki książkami', 'pl')).toEqual(['książk', 'książk']);
    expect(stemsOf('ships shipping', 'en')).toEqual(['ship', 'ship']);
    expect(stemsOf('ships', null)).toEqual(['ships']);
  });

  it('B14 detects the language of a text, and a source in several languages', () => {
    const english = 'The quick brown fox jumps over the lazy dog while the others are watching it. '.repeat(
      30,
    );
    const polish =
      'Wczoraj wieczorem poszliśmy do biblioteki, żeby oddać książki przed końcem miesiąca. '.repeat(30);
    expect(detectLanguage(english)).toBe('en');
    expect(detectLanguage(polish)).toBe('pl');
    expect(detectLanguage('?')).toBeNull();
    expect(detectSourceLanguage(polish)).toBe('pl');
    expect(detectSourceLanguage(english + polish)).toBe('mixed');
  });
});
