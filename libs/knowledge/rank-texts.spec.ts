import { rankTexts, TextRanker } from './rank-texts.js';
import { detectLanguage, detectSourceLanguage } from './text/languages.js';
import { stemsOf } from './text/stems.js';
import { trigramsOf, wordsOf } from './text/words.js';

const tools = [
  'send_email: sends a message to a recipient. Parameters: recipient, subject, body',
  'read_file: reads the content of a file. Parameters: path, encoding',
  'search_documents: finds passages in the knowledge collections. Parameters: query, limit',
  'list_directory: lists files and folders. Parameters: path',
];

describe('rankTexts', () => {
  it('P7 ranks tools by name, description and parameters', () => {
    const [best] = rankTexts('find a passage in my documents', tools, { language: 'en' });
    expect(best).toMatchObject({ index: 2, score: 1, parts: { bm25: { rank: 1 } } });
    expect(best!.matchedTerms).toContain('passage');
  });

  it('B14 finds inflected and misspelled words', () => {
    expect(rankTexts('reciepient mesages', tools, { language: 'en' })[0]!.index).toBe(0);
    const polish = [
      'Książki leżą na półkach biblioteki miejskiej.',
      'Statki pływają po morzu i po rzekach kraju.',
    ];
    expect(rankTexts('książkami', polish, { language: 'pl' })[0]!.index).toBe(0);
    // Text typed on a keyboard without Polish letters.
    expect(rankTexts('ksiazka', polish, { language: 'pl' })[0]!.index).toBe(0);
  });

  it('B14 weights a word by how often the query repeats it', () => {
    const texts = ['The anchor of a ship.', 'The lamp of a ship.'];
    expect(rankTexts('anchor lamp lamp', texts, { language: 'en' })[0]!.index).toBe(1);
    expect(rankTexts('anchor lamp anchors', texts, { language: 'en' })[0]!.index).toBe(0);
  });

  it('B14 answers a query without words, and a query of words that all texts contain', () => {
    const ranker = new TextRanker(tools, { language: 'en' });
    for (const query of ['', '   ', '!?*&|:()\'"', '\0']) expect(ranker.rank(query)).toEqual([]);
    expect(ranker.rank('parameters')).toHaveLength(4);
    expect(new TextRanker([]).rank('x')).toEqual([]);
  });
});

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
