import type { Lexicon } from './lexicon.js';

export const polish: Lexicon = {
  functionWords:
    'a i w na z do nie się że jest to o jak ale po co za od dla przez tak są oraz który która które tego'.split(
      ' ',
    ),
  ownLetters: /[ąćęłńóśźż]/,
  connectives: [
    'jednak',
    'jednakże',
    'dlatego',
    'ponadto',
    'zatem',
    'więc',
    'natomiast',
    'mimo to',
    'tymczasem',
    'na przykład',
    'w rezultacie',
    'z kolei',
    'ponieważ',
    'chociaż',
    'ale',
    'bo',
  ],
  firstSingular:
    /(?<!\p{L})(?:ja|mnie|mną|mój|moja|moje|moim|mojego|jestem|myślę|uważam|sądzę|\p{L}{1,40}(?:łem|łam))(?!\p{L})/giu,
  firstPlural:
    /(?<!\p{L})(?:my|nas|nam|nami|nasz|nasza|nasze|naszym|naszego|jesteśmy|\p{L}{1,40}(?:liśmy|łyśmy|emy|imy|amy))(?!\p{L})/giu,
  second:
    /(?<!\p{L})(?:ty|ciebie|tobie|twój|twoja|twoje|wasz|wasze|państwo|państwa|\p{L}{1,40}(?:łeś|łaś|cie))(?!\p{L})/giu,
  passive:
    /(?<!\p{L})(?:jest|są|był[aoy]?|byli|został[aoy]?|zostali|zostanie)\s+\p{L}{2,}(?:ny|na|ne|ni|ty|ta|te|ci)(?!\p{L})/giu,
  past: /(?<!\p{L})\p{L}{1,40}(?:ł|ła|ło|li|ły|łem|łam|liśmy|łyśmy)(?!\p{L})/giu,
  months:
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(
      ' ',
    ),
  mayRepeat: new Set(['bardzo', 'nie', 'tak', 'coraz', 'no']),
};
