import { capitalized, type RequestLanguage } from './language.js';

const REMOVE =
  'usuń(?:cie|my)?|usunąć|skreśl(?:cie)?|skreślić|wykreśl|wykreślić|wyrzuć|wyrzucić|pomiń|pominąć|skasuj|skasować|wytnij|wyciąć';
const MERGE = 'połącz(?:cie|my)?|połączyć|scal(?:cie)?|scalić|złącz|złączyć';
const MOVE =
  'przenieś(?:cie|my)?|przenieść|przesuń(?:cie|my)?|przesunąć|umieść|umieścić|postaw|postawić|daj|dać|wstaw|wstawić|przestaw|przestawić';
const SWAP = 'zamień(?:cie|my)?|zamienić';
const SPLIT = 'podziel(?:cie|my)?|podzielić|rozdziel|rozdzielić|rozbij|rozbić';
const ADD =
  'dodaj(?:cie|my)?|dodać|wstaw|wstawić|dopisz|dopisać|dołącz|dołączyć|napisz|napisać|utwórz|utworzyć';
const A_CHAPTER = '(?:jeszcze )?(?:jeden )?(?:nowy |kolejny )?rozdział';
const SUBJECT = '(?:pod tytułem |o tytule |zatytułowany |pt\\. |na temat )?{what}';

/** Requests in Polish. */
export const polish: RequestLanguage = {
  opening:
    'proszę(?: o)?|oraz|i|potem|następnie|także|też|czy (?:możesz|możecie|mógłbyś|mogłabyś)|czy może pani?|możesz|chcę|chciałbym|chciałabym|trzeba|należy',
  closing: 'proszę|teraz|też|także|zamiast tego',
  verbs: `${REMOVE}|${MERGE}|${MOVE}|${SWAP}|${SPLIT}|${ADD}|zmień|zmienić|nazwij|zacznij|zakończ`,
  forms: [
    ['remove', `(?:${REMOVE}) {what}`],
    ['remove', '{what} (?:jest )?(?:do usunięcia|do skreślenia|zbędny|niepotrzebny)'],
    ['remove', '{what} (?:trzeba|można|należy) (?:usunąć|skreślić|wyrzucić|pominąć)'],
    ['remove', 'nie (?:potrzebujemy|potrzebuję|chcę|chcemy) {what}'],
    ['swap', `(?:${SWAP})(?: miejscami)?(?: kolejność)? {what}(?: miejscami)?`],
    ['swap', `(?:${SWAP})(?: miejscami)?(?: kolejność)? {what} (?:i|z|ze|a|oraz|na) {other}(?: miejscami)?`],
    ['split', `(?:${SPLIT}) {what}(?: na (?:dwa|2|dwie|pół|połowę|połowy)(?: rozdziały| części)?)?`],
    ['split', `(?:${SPLIT}) {what} na:? {quoted} i {second}`],
    ['merge', `(?:${MERGE}) {what}(?: w jeden(?: rozdział)?)?{titled}`],
    ['merge', '(?:zrób|zrobić) z {what} jeden(?: rozdział)?{titled}'],
    ['rename', '(?:zmień|zmienić) (?:tytuł|nazwę) {what} na {title}'],
    ['rename', '(?:przemianuj|przemianować) {what} na {title}'],
    ['rename', '(?:nazwij|nazwać|zatytułuj|zatytułować) {what} {quoted}'],
    ['rename', '(?:nazwij|nazwać|zatytułuj|zatytułować) (?<what>rozdział \\S+|\\S+ rozdział) {title}'],
    ['rename', '{what} (?:powinien|ma) (?:się nazywać|nazywać się|mieć tytuł|nosić tytuł) {title}'],
    ['move', `(?:${MOVE}) {what} {place}`],
    [
      'move',
      '{what} (?:powinien|powinna|ma|musi) (?:być|iść|stać|pójść|trafić|znaleźć się|znajdować się) {place}',
    ],
    ['move', 'niech {what} (?:będzie|idzie|pójdzie|stoi|trafi) {place}'],
    ['move', '(?<first>zacznij|zacząć|rozpocznij|rozpocząć)(?: książkę)? od {what}'],
    ['move', '(?<last>zakończ|zakończyć|skończ|skończyć)(?: książkę)?(?: na)? {what}'],
    ['move', '(?:żeby|aby|by) {what} (?:był|była|było) {place}'],
    ['move', '{what} {place}'],
    [
      'add',
      `(?:${ADD}) (?:(?<opening>wstęp|wprowadzenie|prolog)|(?<ending>zakończenie|posłowie|epilog|podsumowanie))(?: {place})?`,
    ],
    ['add', `(?:${ADD}) ${A_CHAPTER} {place} (?<what>o .+|na temat .+)`],
    ['add', `(?:${ADD}) ${A_CHAPTER} ${SUBJECT}(?: {place})?`],
    ['add', `(?:${ADD}) {place} ${A_CHAPTER} ${SUBJECT}`],
    ['add', `{place} (?:${ADD}) ${A_CHAPTER} ${SUBJECT}`],
    ['add', '(?:brakuje|brak|potrzebujemy|potrzeba) (?:jeszcze )?rozdziału {what}(?: {place})?'],
    [
      'add',
      `(?:przyda się|przydałby się|potrzebny jest|powinien być|chcę|chciałbym|chciałabym) (?:też |także )?${A_CHAPTER} ${SUBJECT}(?: {place})?`,
    ],
  ],
  called: 'pod tytułem|o tytule|zatytułowany|pt\\.|jako|i nazwij(?: go)?',
  places: {
    first:
      '(?:sam )?(?:na początek|na początku|na pierwsze miejsce|na pierwszym miejscu|jako pierwszy|pierwszy|najpierw)(?: książki)?',
    last: '(?:sam )?(?:na koniec|na końcu|na ostatnie miejsce|na ostatnim miejscu|jako ostatni|ostatni)(?: książki)?',
    before: '(?:tuż |zaraz )?przed',
    after: '(?:tuż |zaraz )?(?:za|po)',
    between: '(?:po)?między',
    up: '(?:o jeden )?(?:wyżej|w górę|wcześniej)',
    down: '(?:o jeden )?(?:niżej|w dół|później)',
  },
  chapter: 'rozdzia(?:ł|łu|łem|łowi|le|ły|łów|łami|łach|łom)(?: numer| nr\\.?)?',
  articles: 'ten|mój|nasz|oba',
  numbers:
    'jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście'.split(
      ' ',
    ),
  ordinals:
    'pierwsz drug trzec czwart piąt szóst siódm ósm dziewiąt dziesiąt jedenast dwunast trzynast czternast piętnast'.split(
      ' ',
    ),
  endings: 'y|i|ego|iego|emu|iemu|ym|im|e|ie',
  last: 'ostatni(?:e|ego|m|emu|ch)?',
  about: 'o|na temat',
  and: ' i | oraz | a | z | ze ',
  to: 'do',
  conditions: 'ale|bo|ponieważ|żeby|aby|jeśli|jeżeli|chyba że|jednak',
  titleOf: capitalized,
};
