import type { Lexicon } from './lexicon.js';

/** Nouns with the ending of a past-tense verb in the first person: "z kanałem". */
const NOUNS_IN_LEM =
  '(?:kan|sygn|materi|zap|up|kapit|potencj|ide|fin|kryszt|gener|admir|arsen|skand|festiw|karnaw|interw|pers?on|dz?i|wydzi|udzi|podzi|oddzi|rozdzi|przedzi|przydzi)ałem|(?:t|p)yłem';
/** Nouns with the ending of a present-tense verb in the first person plural: "problemy". */
const NOUNS_IN_MY =
  '(?:probl|syst|kr|diad|chryzant|po)emy|(?:progr|rekl|dr|d|br|r|pl|gr|diagr|telegr|l|kilogr|panor|pidż)amy|(?:z|ol|anon)imy|(?:d|r|h|enz|pseudon|akron|anon|synon|anton)ymy';

export const polish: Lexicon = {
  functionWords:
    'a i w na z do nie się że jest to o jak ale po co za od dla przez tak są oraz który która które tego'.split(
      ' ',
    ),
  ownLetters: /[ąćęłńóśźż]/,
  connectives:
    'jednak, jednakże, dlatego, ponadto, co więcej, zatem, więc, natomiast, niemniej, mimo to, tymczasem, na przykład, w rezultacie, w konsekwencji, z kolei, poza tym, z drugiej strony, podobnie, ponieważ, chociaż, choć, ale, bo, gdyż, bowiem, albo'.split(
      ', ',
    ),
  firstSingular: new RegExp(
    `(?<!\\p{L})(?!(?:${NOUNS_IN_LEM})(?!\\p{L}))(?:ja|mnie|mną|mój|moja|moje|moim|moich|mojego|mojej|jestem|myślę|uważam|sądzę|wiem|mam|chcę|mogę|muszę|piszę|widzę|pamiętam|lubię|wolę|polecam|proponuję|przyznam|wydaje mi się|\\p{L}{1,40}(?:[aiyą]|[^ty]u|io|ro)łem|\\p{L}{1,40}(?:[gk]|ad|ed)łem|\\p{L}{2,40}łam)(?!\\p{L})`,
    'giu',
  ),
  firstPlural: new RegExp(
    `(?<!\\p{L})(?!(?:${NOUNS_IN_MY})(?!\\p{L}))(?:my|nas|nam|nami|nasz|nasza|nasze|naszą|naszym|naszego|naszej|naszych|jesteśmy|\\p{L}{1,40}(?:liśmy|łyśmy|[^tr]emy|imy|ymy|amy))(?!\\p{L})`,
    'giu',
  ),
  second:
    /(?<!\p{L})(?:ty|cię|ciebie|tobie|tobą|twój|twoja|twoje|twoją|twoim|twojego|twojej|twoich|wasz|wasza|wasze|waszym|was|państwo|państwa|państwu|możesz|chcesz|masz|wiesz|widzisz|musisz|jesteś|będziesz|znajdziesz|zobaczysz|potrzebujesz|pamiętaj|sprawdź|zobacz|kliknij|pobierz|wybierz|spróbuj|wyobraź|dowiesz|\p{L}{1,40}(?:łeś|łaś|liście|łyście|jcie))(?!\p{L})/giu,
  passive:
    /(?<!\p{L})(?:jest|są|był[aoy]?|byli|będzie|będą|został[aoy]?|zostali|zostanie|zostaną)\s+(?:\p{L}{1,20}\s+)?\p{L}{2,30}(?:[aoe]n[yaeio]|eni|ani|ięt[yaeo]|yt[yaeo]|ut[yaeo]|rt[yaeo])(?!\p{L})/giu,
  past: /(?<!\p{L})\p{L}{1,40}(?:ł|ła|ło|li|ły|łem|łam|liśmy|łyśmy)(?!\p{L})/giu,
  months:
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(
      ' ',
    ),
  shortMonths: 'stycz? lut mar kwie? maj czerw? lip sierp? wrz paź list? grudz?'.split(' '),
  mayRepeat: new Set(['ha', 'no', 'tak']),
  perhapsMeant: new Set(['bardzo', 'nie', 'coraz', 'wiele', 'długo', 'już']),
  label:
    /(?:^|[^\p{L}])(?:port|porcie|linia|linii|błąd|kod|pokój|pokoju|autobus|strona|stronie|str\.|s\.|wersja|wersji|nr|numer|rozdział|rozdziale|sekcja|rysunek|rys\.|tabela|tab\.|krok|kroku|art\.|ust\.|pkt)\s$/iu,
  spellings: [],
  stockOpening:
    /^(?:w dzisiejszych czasach\s|w dzisiejszym świecie\s|w (?:tym|niniejszym|poniższym) (?:artykule|wpisie|tekście)\s|obecnie\s|w ostatnich latach\s|od zarania dziejów\s|jak powszechnie wiadomo|nie od dziś wiadomo|czy (?:kiedykolwiek )?zastanawia|witajcie\s|witam\s)/iu,
  stockClosing:
    /^(?:podsumowując[,\s]|reasumując[,\s]|na zakończenie[,\s]|na koniec[,\s]|w podsumowaniu[,\s]|ostatecznie[,\s]|koniec końców[,\s]|dziękuję za (?:lekturę|uwagę|przeczytanie))/iu,
};
