import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ledgerPhrase, piecePhrase, reasonPhrase } from './ledger-phrases.js';
import { englishText, type Phrase } from './phrases/phrase.js';
import { translatorFor } from './phrases/translator.js';

const translate = await translatorFor('de');
const german = (phrase: Phrase | undefined) => phrase && translate(phrase);

describe('places of pieces', () => {
  it.each([
    ['footnote 3', 'Fußnote 3'],
    ['page 4, form field', 'Seite 4, Formularfeld'],
    ['sheet "Q1" B7', 'Tabellenblatt "Q1", B7'],
    ['sheet "A, \\"B\\"" input message', 'Tabellenblatt "A, \\"B\\"", Eingabehinweis'],
    ['comment on B7', 'Kommentar zu B7'],
    ['header 1, table 2, row 3, cell 4', 'Kopfzeile 1, Tabelle 2, Zeile 3, Zelle 4'],
    ['deleted text in header 1, paragraph 2', 'Kopfzeile 1, Absatz 2, gelöschter Text'],
    ['hidden text footnote 2', 'Fußnote 2, verborgener Text'],
    ['hidden text note 2', 'Notiz 2, verborgener Text'],
    ['attached mail 2, attachment a, b.docx, paragraph 3', 'angehängte E-Mail 2, Anhang a, b.docx, Absatz 3'],
    ['document 2, title of the page 1', 'Dokument 2, Titel der Seite 1'],
  ])('X1 shows %s in German', (place, shown) => {
    expect(german(piecePhrase(place))).toBe(shown);
  });

  it('X1 leaves a place alone that it does not know', () => {
    expect(piecePhrase('gallery 3')).toBeUndefined();
    expect(piecePhrase('page 1, gallery 3')).toBeUndefined();
    expect(piecePhrase(`attachment ${'x'.repeat(600)}`)).toBeUndefined();
  });

  it('X1 reads any place in time and never changes its words', () => {
    const part = fc.constantFrom(
      'page 1',
      'attachment ',
      'x',
      'deleted text in ',
      'sheet "',
      'hidden text ',
      'as in ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 120 }), (parts) => {
        const text = parts.join(', ');
        const found = piecePhrase(text);
        const words = (of: string) => of.split(/\W+/).sort().join(' ');
        if (found) expect(words(englishText(found))).toBe(words(text));
      }),
    );
  });
});

describe('reasons', () => {
  it.each([
    ['header', 'Kopfzeile'],
    ['header or footer of page 3', 'Kopf- oder Fußzeile von Seite 3'],
    ['text/html form of an output', 'Ausgabe in der Form text/html'],
    ['the HTML part is used', 'stattdessen übernommen: HTML-Teil'],
    ['as in header 1', 'wie an anderer Stelle (Kopfzeile 1)'],
    ['missing from the text', 'fehlt im Text'],
    ['missing from the text: two words', 'im Text fehlt: two words'],
  ])('X1 shows %s in German', (reason, shown) => {
    expect(german(reasonPhrase(reason))).toBe(shown);
  });

  it('X1 shows rules and differences of lines in German', () => {
    expect(german(ledgerPhrase('front matter'))).toContain('Front Matter');
    expect(german(ledgerPhrase('list item on level 2 instead of 1'))).toBe('Listenpunkt auf Ebene 2 statt 1');
    expect(ledgerPhrase('agreed with Ida')).toBeUndefined();
  });
});
