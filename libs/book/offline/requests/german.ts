import { capitalized, type RequestLanguage } from './language.js';

/** Verbs as imperatives, polite forms and infinitives: `lösche`, `löschen Sie`, `löschen`. */
const imperatives = (stems: string): string => `(?:${stems})(?:e|en sie|en)?(?: bitte)?`;

const REMOVE = imperatives('entfern|lösch|streich|tilg');
const TAKE = 'nimm|nehmt|nehmen sie|lass|lasse|lassen sie|wirf|werfen sie|streich|streiche|streichen sie';
const MERGE = imperatives('fass|leg|führ|zieh|verbind|verein|vereinig');
const MOVE = imperatives('verschieb|setz|stell|schieb|rück|zieh|pack|leg|bring|platzier');
const SWAP = imperatives('tausch|vertausch');
const SPLIT = imperatives('teil|unterteil|zerleg|trenn|spalt');
const ADD = imperatives('füg|ergänz|schreib|erstell') + '|nimm|nehmen sie';
const RENAME = imperatives('benenn|nenn');
const A_CHAPTER = '(?:noch )?(?:ein|(?:ein )?neues|(?:ein )?weiteres) kapitel';
const SUBJECT = '(?:über |zum thema |namens |mit dem titel |mit dem namen )?{what}';
const ADDED = '(?: hinzu| ein| an| auf| dazu)?';
const HALVES = '(?: in (?:zwei|2|die hälfte)(?: kapitel| teile| hälften)?)?';

/** Requests in German. */
export const german: RequestLanguage = {
  opening:
    'bitte|und|dann|danach|außerdem|auch|ferner|(?:können|könnten|würden) (?:sie|wir)(?: bitte)?|(?:kannst|könntest|würdest) du(?: bitte)?|ich möchte|ich will|wir sollten|lass uns|lassen sie uns',
  closing: 'bitte|jetzt|auch|stattdessen',
  verbs: `${REMOVE}|${TAKE}|${MERGE}|${MOVE}|${SWAP}|${SPLIT}|${ADD}|${RENAME}|beginne|ende`,
  forms: [
    ['remove', `(?:${REMOVE}) {what}`],
    ['remove', `(?:${TAKE}) {what} (?:raus|heraus|weg|fallen|aus)`],
    [
      'remove',
      '{what} (?:soll|sollte|muss|kann|könnte|sollen|können) (?:weg|raus|entfallen|wegfallen|(?:entfernt|gelöscht|gestrichen) werden)',
    ],
    ['remove', '{what} (?:entfernen|löschen|streichen|weglassen|herausnehmen|rausnehmen)'],
    ['remove', '(?:wir brauchen|ich brauche|ich will) {what} nicht(?: mehr)?'],
    ['swap', `(?:${SWAP})(?: die reihenfolge von)? {what}(?: aus)?`],
    ['swap', `(?:${SWAP})(?: die reihenfolge von)? {what} (?:und|mit|gegen) {other}(?: aus)?`],
    ['swap', '{what} (?:und|mit|gegen) {other} (?:tauschen|vertauschen)'],
    ['split', `(?:${SPLIT}) {what}(?: auf)?${HALVES}(?: auf)?`],
    ['split', `{what}${HALVES} (?:teilen|aufteilen|unterteilen|trennen|zerlegen)`],
    ['split', `(?:${SPLIT}) {what}(?: auf)? in:? {quoted} und {second}(?: auf)?`],
    ['merge', `(?:${MERGE}) {what}(?: zu einem(?: einzigen)?(?: kapitel)?)?{titled}(?: zusammen)?`],
    [
      'merge',
      '{what}(?: zu einem(?: einzigen)?(?: kapitel)?)? (?:zusammenfassen|zusammenlegen|zusammenführen|verbinden|vereinen|vereinigen)',
    ],
    ['merge', '(?:mach|mache|machen sie) aus {what} (?:eines|eins|ein(?: einziges)?(?: kapitel)?){titled}'],
    ['rename', `(?:${RENAME}) {what} (?:in|zu) {title} um`],
    ['rename', `(?:${RENAME}) {what}(?: in| zu)? {quoted}(?: um)?`],
    ['rename', `(?:${RENAME}) (?<what>kapitel \\S+|das \\S+ kapitel) {title}`],
    ['rename', '{what} (?:in|zu) {title} umbenennen'],
    ['rename', '{what} (?:soll|sollte|muss) (?:jetzt |künftig |nun )?{title} heißen'],
    [
      'rename',
      '(?:änder|ändere|ändern sie) (?:den titel|den namen) (?:von|des) {what} (?:in|zu|auf) {title}',
    ],
    ['rename', '(?:gib|geben sie) {what} (?:den titel|den namen) {title}'],
    ['move', `(?:${MOVE}) {what} {place}`],
    [
      'move',
      `{what} (?:soll|sollte|sollen|sollten|muss|müsste|gehört|kommt) {place}(?: kommen| stehen| sein| rücken| gehören)?`,
    ],
    ['move', '{what} {place} (?:verschieben|setzen|stellen|schieben|rücken|bringen)'],
    ['move', '(?<first>beginne?|beginnen sie|fange? an|starte|starten sie) mit {what}'],
    ['move', '(?<first>fang|fange|fangen sie) mit {what} an'],
    ['move', '(?<last>ende|enden sie|schließe|schließen sie) mit {what}(?: ab)?'],
    ['move', 'das buch (?:soll|sollte) mit {what} (?:(?<first>beginnen|anfangen)|(?<last>enden|schließen))'],
    ['move', '(?:mach|mache|machen sie) {what} zum (?:(?<first>ersten)|(?<last>letzten))(?: kapitel)?'],
    ['move', '{what} {place}'],
    ['rename', '{what} umbenennen (?:in|zu) {title}'],
    ['rename', 'der (?:titel|name) (?:von|des) {what} (?:soll|sollte) {title} (?:lauten|sein)'],
    [
      'add',
      `(?:${ADD}) (?:eine?n? )?(?:(?<opening>einleitung|einführung|vorwort|prolog)|(?<ending>nachwort|fazit|epilog))(?: {place})?${ADDED}`,
    ],
    ['add', `(?:${ADD}) ${A_CHAPTER} {place} (?:über|zum thema|namens|mit dem titel) {what}${ADDED}`],
    ['add', `(?:${ADD}) ${A_CHAPTER} ${SUBJECT}(?: {place})?${ADDED}`],
    ['add', `(?:${ADD}) {place} ${A_CHAPTER} ${SUBJECT}${ADDED}`],
    [
      'add',
      `(?:es fehlt|mir fehlt|uns fehlt|das buch braucht|wir brauchen|ich brauche|ich hätte gerne?|ich möchte|es sollte|es soll) ${A_CHAPTER} ${SUBJECT}(?: {place})?(?: geben)?`,
    ],
    [
      'add',
      `{place} (?:fehlt|soll|sollte|kommt|gehört|brauchen wir) ${A_CHAPTER} ${SUBJECT}(?: stehen| kommen)?`,
    ],
    ['add', `${A_CHAPTER} ${SUBJECT}(?: {place})? (?:hinzufügen|ergänzen|einfügen|schreiben|aufnehmen)`],
  ],
  called: 'namens|mit dem titel|unter dem titel|mit dem namen|als',
  places: {
    first:
      '(?:ganz )?(?:an den anfang|an die erste stelle|an den beginn|am anfang|an erster stelle)|ganz nach vorne?|zuerst|als erstes(?: kapitel)?',
    last: '(?:ganz )?(?:ans ende|an das ende|an den schluss|zum schluss|am ende|am schluss|an letzter stelle|an die letzte stelle)|ganz nach hinten|zuletzt|als letztes(?: kapitel)?',
    before: '(?:direkt |unmittelbar )?vor',
    after: '(?:direkt |unmittelbar )?(?:nach|hinter)',
    between: 'zwischen',
    up: '(?:eins |um eins )?(?:nach oben|nach vorne?|früher)',
    down: '(?:eins |um eins )?(?:nach unten|nach hinten|später)',
  },
  chapter: 'kapiteln?s?(?: nummer| nr\\.?)?',
  articles: 'das|dem|den|der|des|die|mein|unser|beiden?',
  numbers: 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn'.split(
    ' ',
  ),
  ordinals:
    'erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt'.split(
      ' ',
    ),
  endings: 'e|en|es|er|em',
  last: 'letzte[nsrm]?',
  about: 'über|zu|zum thema',
  and: ' und | mit | sowie ',
  to: 'bis',
  conditions: 'aber|weil|damit|wenn|falls|obwohl|sofern|außer',
  // "über den Sturm" has the accusative; a title has the nominative.
  titleOf: (subject) =>
    capitalized(subject.replace(/^(?:den|einen) /i, (article) => (/^d/i.test(article) ? 'der ' : 'ein '))),
};
