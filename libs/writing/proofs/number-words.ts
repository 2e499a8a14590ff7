/** Words that stand for a number in a calculation: parts, multiples and ordinals, as in `every second` or `twice`. */
const WORDS: Record<number, string> = {
  1: 'one once single jedna jedno',
  2: 'half halves twice double doubled second both pair couple hälfte halb halbe halben doppelt doppelte doppelten verdoppelt verdoppelte zweite zweiten zweiter beide beiden połowa połowę połowy pół dwukrotnie podwójnie podwoił podwoiła podwoiło podwoiły drugi druga drugie drugą oba obie',
  3: 'third thirds triple tripled thrice drittel dritte dritten dritter dreifach verdreifacht trzeci trzecia trzecie trzecią trzykrotnie potroił potroiła',
  4: 'quarter quarters fourth fourths viertel vierte vierten vierter vierfach ćwierć czwarty czwarta czwarte czwartą czterokrotnie',
  5: 'fifth fifths fünftel fünfte fünften piąty piąta piąte piątą pięciokrotnie',
  6: 'sixth sixths sechstel sechste sechsten szósty szósta szóste',
  7: 'seventh siebtel siebte siebten siódmy siódma siódme',
  8: 'eighth eighths achtel achte achten ósmy ósma ósme',
  9: 'ninth neuntel neunte neunten dziewiąty dziewiąta dziewiąte',
  10: 'tenth tenths zehntel zehnte zehnten dziesiąty dziesiąta dziesiąte dziesięciokrotnie',
  12: 'dozen dutzend tuzin tuzina',
};
const NUMBER_OF = new Map(
  Object.entries(WORDS).flatMap(([number, words]) =>
    words.split(' ').map((word) => [word, Number(number)] as const),
  ),
);

/** Returns the numbers for which words of a quote may stand in a calculation; a part of 4 also stands for 0.25. */
export function numbersOfWords(quote: string): number[] {
  return (quote.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => {
    const number = NUMBER_OF.get(word);
    return number === undefined ? [] : [number, 1 / number];
  });
}
