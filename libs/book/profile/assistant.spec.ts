import { describe, expect, it } from '@jest/globals';
import { englishText, type Phrase } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import type { BookProfile } from '../contract/profile.js';
import { assistByRules, unreadOf } from './assistant.js';
import { isGrounded, titleProblem } from './title.js';

const talk = (said: string[], known: BookProfile = {}) =>
  assistByRules(
    said.flatMap((content) => [
      { role: 'assistant' as const, content: '…' },
      { role: 'user' as const, content },
    ]),
    known,
  );

const ANSWERS = [
  'The Keepers of Marrow Point',
  'History',
  'General readers',
  'Vivid',
  'English',
  'short',
  '8',
];
const COMPLETE: BookProfile = {
  title: 'The Keepers of Marrow Point',
  genre: 'History',
  target_audience: 'General readers',
  tone: 'Vivid',
  language: 'en',
  chapter_length: 'short',
  chapter_count: 8,
};

describe('profile assistant', () => {
  it('B17 asks for the fields one by one and is final only when complete and confirmed', () => {
    expect(talk(['The Keepers'])).toMatchObject({
      field_updates: { title: 'The Keepers' },
      next_field: 'genre',
    });
    for (let i = 1; i < ANSWERS.length; i++) {
      const reply = talk([...ANSWERS.slice(0, i), 'finalize']);
      expect(reply).toMatchObject({ is_finalized: false, next_field: reply.missing_required[0] });
      expect(reply.missing_required).toHaveLength(ANSWERS.length - i);
    }
    expect(talk(ANSWERS)).toMatchObject({ field_updates: COMPLETE, is_finalized: false, next_field: null });
    expect(talk([...ANSWERS, 'Finalize!'])).toMatchObject({ is_finalized: true, missing_required: [] });
  });

  it('B18 offers quick choices for the requested field, and accepts each of them', () => {
    let said: string[] = ['The Keepers'];
    for (;;) {
      const { next_field: field, choices } = talk(said);
      if (field === null) break;
      expect(choices.length).toBeGreaterThan(2);
      for (const choice of choices)
        expect(talk([...said, choice]).field_updates).toHaveProperty(field as keyof BookProfile);
      said = [...said, choices[0] as string];
    }
    expect(talk(said).choices).toEqual(['finalize']);
  });

  it.each(['Untitled', 'hi', 'my book', 'TBD', '???', 'x', 'Test.'])(
    'B17 rejects the placeholder title %j',
    (title) => {
      expect(titleProblem(title)).not.toBeNull();
      expect(talk([title])).toMatchObject({ field_updates: {}, next_field: 'title' });
    },
  );

  it("B17 rejects a title that deviates from the author's words", () => {
    const said = 'I want to write about the keepers of the lighthouse at Marrow Point and their storms.';
    expect(isGrounded('Keepers of the Lighthouse', said)).toBe(true);
    expect(isGrounded('The Storm Keeper', said)).toBe(true);
    expect(isGrounded('Blockchain for Dummies', said)).toBe(false);
    expect(isGrounded('Keepers of the Blockchain', said)).toBe(false);
  });

  it('B17 reads several fields from one message', () => {
    const text =
      'It is called "Salt and Light", in Polish, 12 short chapters.\nAudience: beginners\nTone: plain';
    expect(talk([text]).field_updates).toEqual({
      title: 'Salt and Light',
      language: 'pl',
      chapter_count: 12,
      chapter_length: 'short',
      target_audience: 'beginners',
      tone: 'plain',
    });
  });

  it('B17 ignores values that do not fit, and reports them', () => {
    const reply = talk([...ANSWERS.slice(0, 6), 'a few']);
    expect(reply).toMatchObject({ next_field: 'chapter_count', missing_required: ['chapter_count'] });
    expect(reply.assistant_reply).toContain('could not read');
    expect(talk(['9999 chapters'], COMPLETE).field_updates).toEqual({});
  });

  it('B17 reads only the newest message if earlier replies are stored, so that no old answer counts as new', () => {
    const said = ['The Keepers of Marrow Point', 'History'].map((content) => ({
      role: 'user' as const,
      content,
    }));
    const kept = { title: 'The Keepers of Marrow Point' };
    expect(assistByRules(unreadOf(said, kept), kept).field_updates).toEqual({ genre: 'History' });
    expect(assistByRules(unreadOf(said, undefined), {}).field_updates).toEqual({ ...kept, genre: 'History' });
  });

  it('B17 is never final with a placeholder title', () => {
    const reply = talk(['finalize'], { ...COMPLETE, title: 'Untitled' });
    expect(reply).toMatchObject({ is_finalized: false, next_field: 'title', missing_required: ['title'] });
  });

  it.each([
    'hello there',
    'Hi!',
    'Good morning to you',
    'What do you need?',
    'I want to write something about bees',
    'Can you help me with a book',
    'Dzień dobry',
    'Guten Abend zusammen',
    'Können Sie mir helfen',
    'Wir möchten etwas über Bienen schreiben',
    'Chcielibyśmy napisać coś o pszczołach',
    'Pomóż mi z książką',
    'A long story about how it all began, and what my grandmother told me when I was a child.',
  ])('B17 reads no value from %j, and explains that it is a form', (said) => {
    const reply = talk([said]);
    expect(reply).toMatchObject({ field_updates: {}, next_field: 'title', used_fallback: true });
    expect(reply.assistant_reply).toContain('No model is answering, so this is a form');
  });

  it.each([
    ['no, the audience is nurses', { target_audience: 'nurses' }],
    ['No. The audience should be nurses.', { target_audience: 'nurses' }],
    ['actually, the title is Salt and Lamps', { title: 'Salt and Lamps' }],
    ['Change the title to Salt and Lamps', { title: 'Salt and Lamps' }],
    ['sorry, the tone is formal', { tone: 'formal' }],
    ['no, 10 chapters', { chapter_count: 10 }],
    ['no, the language is German', { language: 'de' }],
    ['Nein, die Zielgruppe sind Pflegekräfte', { target_audience: 'Pflegekräfte' }],
    ['Titel: Salz und Licht', { title: 'Salz und Licht' }],
    ['Nie, odbiorcy to pielęgniarki', { target_audience: 'pielęgniarki' }],
    ['Zmień tytuł na Sól i światło', { title: 'Sól i światło' }],
    ['für Pflegekräfte', { target_audience: 'Pflegekräfte' }],
    ['Es ist für Menschen, die Bienen halten.', { target_audience: 'Menschen, die Bienen halten' }],
    ['Nein, für Pflegekräfte', { target_audience: 'Pflegekräfte' }],
    ['dla pielęgniarek', { target_audience: 'dla pielęgniarek' }],
    ['Nie, książka jest dla pielęgniarek.', { target_audience: 'dla pielęgniarek' }],
    ['Grupa docelowa to pielęgniarki', { target_audience: 'pielęgniarki' }],
    ['nein, 10 kurze Kapitel', { chapter_count: 10, chapter_length: 'short' }],
    ['nie, 10 długich rozdziałów', { chapter_count: 10, chapter_length: 'long' }],
    ['Die Kapitel sollen kurz sein.', { chapter_length: 'short' }],
    ['Rozdziały mają być średnie', { chapter_length: 'medium' }],
    ['Anzahl der Kapitel: 12', { chapter_count: 12 }],
    ['Zmień liczbę rozdziałów na 12', { chapter_count: 12 }],
    ['Die Sprache soll Polnisch sein', { language: 'pl' }],
    ['nein, auf Polnisch', { language: 'pl' }],
    ['In polnischer Sprache', { language: 'pl' }],
    ['nie, po niemiecku', { language: 'de' }],
    ['Zmień język na niemiecki', { language: 'de' }],
    ['W języku niemieckim', { language: 'de' }],
    ['Das Buch heißt „Salz und Licht“.', { title: 'Salz und Licht' }],
    ['Książka pod tytułem „Sól i światło”', { title: 'Sól i światło' }],
    ['Moment, der Titel lautet Salz und Licht', { title: 'Salz und Licht' }],
    ['Ändern Sie den Ton auf förmlich', { tone: 'förmlich' }],
    ['Ton ma być formalny', { tone: 'formalny' }],
  ])('B17 reads %j as the field that it names, whichever was asked for', (said, updates) => {
    const { tone, ...known } = COMPLETE;
    expect(tone).toBe('Vivid');
    expect(talk([said], known).field_updates).toEqual(updates);
  });

  it.each(['no, nurses', 'nein, anders', 'nie, to nie tak', 'Actually, never mind'])(
    'B17 does not take the correction %j for an answer to the present question',
    (said) => {
      const { tone: _, ...known } = COMPLETE;
      expect(talk([said], known)).toMatchObject({ field_updates: {}, next_field: 'tone' });
    },
  );

  it.each(['de', 'pl'])('B17 B18 asks, offers answers and reads them in %s', async (language) => {
    const translate = await translatorFor(language);
    const said = ['„Salz und Licht“'];
    for (;;) {
      const reply = talk(said);
      const { reply_phrase: question, choice_phrases: phrases, next_field: field } = reply;
      expect(englishText(question!)).toBe(reply.assistant_reply);
      expect(translate(question!)).not.toBe(reply.assistant_reply);
      const answers = reply.choices.map((choice, i) => (phrases![i] ? translate(phrases![i]) : choice));
      if (field === null) {
        const end = talk([...said, answers[0]!]);
        expect(end).toMatchObject({ is_finalized: true, choices: [] });
        expect(translate(end.reply_phrase!)).toContain('„Salz und Licht');
        break;
      }
      for (const [i, answer] of answers.entries()) {
        const { field_updates: read } = talk([...said, answer]);
        const english = talk([...said, reply.choices[i]!]).field_updates;
        const isName = ['genre', 'target_audience', 'tone'].includes(field);
        expect(read).toHaveProperty(field, isName ? answer : english[field as keyof BookProfile]);
      }
      said.push(answers[0]!);
    }
  });

  it.each([
    ['de', 'hallo', 'Das ließ sich nicht lesen.'],
    ['de', 'fertig', 'Es fehlen noch: Genre, Zielgruppe, Ton,'],
    ['de', 'Titel: ohne Titel', 'ist ein Platzhalter'],
    ['pl', 'cześć', 'Nie udało się tego odczytać.'],
    ['pl', 'zakończ', 'Brakujące pola: gatunek, czytelnicy, ton,'],
  ])('B17 explains in %s why it reads no value from %j', async (language, said, part) => {
    const { reply_phrase: given, assistant_reply: english } = talk(['The Keepers', said]);
    expect((await translatorFor(language))(given as Phrase)).toContain(part);
    expect(englishText(given as Phrase)).toBe(english);
  });

  it.each([
    ['genre', 'Es ist ein Roman', 'Roman'],
    ['genre', "It's a novel.", 'novel'],
    ['genre', 'Historia', 'Historia'],
    ['language', 'po polsku', 'pl'],
    ['language', 'auf Englisch', 'en'],
    ['language', 'niemiecki', 'de'],
    ['chapter_length', 'eher kurz', 'short'],
    ['chapter_length', 'mittellang', 'medium'],
    ['chapter_length', 'krótkie', 'short'],
    ['chapter_count', '8 rozdziałów', 8],
  ] as const)('B17 reads the %s of %j', (field, said, value) => {
    const known = Object.fromEntries(Object.entries(COMPLETE).filter(([name]) => name !== field));
    expect(talk([said], known).field_updates).toEqual({ [field]: value });
  });

  it.each([
    'Gardens of Poland',
    'The life in Polish gardens',
    'Das Leben in deutschen Gärten',
    'W polskim ogrodzie',
  ])('B17 takes %j for a title, not for the language of the book', (said) =>
    expect(talk([said]).field_updates).toEqual({ title: said }),
  );

  it('B17 still reads answers that begin like a correction', () => {
    const { tone: _, ...known } = COMPLETE;
    expect(talk(['no-nonsense'], known).field_updates).toEqual({ tone: 'no-nonsense' });
    expect(talk(['"No, Thank You"'], {}).field_updates).toEqual({ title: 'No, Thank You' });
    expect(talk(['Tone to Come'], {}).field_updates).toEqual({ title: 'Tone to Come' });
  });

  it('B17 accepts any words as a title in quotation marks or after the name of the field', () => {
    expect(talk(['"Hello There"']).field_updates).toEqual({ title: 'Hello There' });
    expect(talk(['Title: What Do You Need?']).field_updates).toEqual({ title: 'What Do You Need?' });
    expect(talk(['for people who keep bees']).field_updates).toEqual({
      target_audience: 'people who keep bees',
    });
  });
});
