import type { BookProfile, ProfileField } from '../contract/profile.js';
import { LENGTH_WORDS, readField } from './fields.js';
import { statedLanguage } from './language-names.js';

/** Names of the fields in English, German and Polish. */
const NAMES: [ProfileField, string, number][] = [
  ['title', 'working title|title|arbeitstitel|titel|tytuł(?: roboczy)?', 200],
  ['subtitle', 'subtitle|untertitel|podtytuł', 300],
  ['genre', 'genre|kind|kind of book|gattung|art des buch(?:e?s)|gatunek|rodzaj(?: książki)?', 100],
  [
    'target_audience',
    '(?:target )?audience|readers|readership|zielgruppe|publikum|leser(?:schaft)?|leserinnen und leser|odbiorc(?:y|ów)|czytelni(?:cy|ków)|grup[aę] docelow[aą]',
    300,
  ],
  ['tone', 'tone|ton|tonfall', 200],
  ['language', 'language|sprache|język', 40],
  [
    'chapter_length',
    'chapter[ _]length|length of (?:the )?chapters|chapters|kapitellänge|länge der kapitel|kapitel|długość rozdziałów|rozdziały',
    40,
  ],
  [
    'chapter_count',
    'chapters?(?:[ _]count)?|number of chapters|kapitel(?:(?:an)?zahl)?|(?:an)?zahl der kapitel|liczb[aę] rozdziałów|rozdziały',
    40,
  ],
];
const ARTICLE = '(?:(?:the|its|our|my|die|der|das|den|ihr|unser) )?';
/** Polish names, which "to" may follow; "tone to …" may begin an English title. */
const BEFORE_TO =
  '(?<=tytuł|roboczy|gatunek|rodzaj|książki|odbiorcy|czytelnicy|docelowa|ton|język|rozdziałów)';
const IS = `(?:${BEFORE_TO} to(?: jest)?| ?[:=]| (?:is|are|should be|must be|has to be|have to be|ist|sind|lautet|soll|sollte|sollen|jest|są|brzmi|(?:ma|mają|powin\\p{L}{2,4}) być))`;
/** Forms in which a message names a field: `Title: …`, `the audience is …`, `change the tone to …`. */
const NAMED = NAMES.flatMap(([field, names, longest]): [ProfileField, RegExp][] => [
  [
    field,
    new RegExp(
      `^${ARTICLE}(?:${names}) (?:soll|sollte|sollen|muss|müssen) (.{1,${longest}}) (?:sein|lauten|heißen)[.!]?$`,
      'imu',
    ),
  ],
  [field, new RegExp(`^${ARTICLE}(?:${names})${IS} ?(.{1,${longest}})$`, 'imu')],
  [
    field,
    new RegExp(
      `^(?:change|set|make|ändere?|ändern sie|setze?|setzen sie|zmień|ustaw|proszę zmienić) ${ARTICLE}(?:${names}) (?:to|auf|in|zu|na) (.{1,${longest}})$`,
      'imu',
    ),
  ],
]);

const LENGTHS = Object.values(LENGTH_WORDS).join('|');
const CHAPTERS = '(?:chapters|kapitel|rozdział\\p{L}{0,2})(?!\\p{L})';

const STATED: [ProfileField, RegExp][] = [
  [
    'title',
    /(?<!\p{L})(?:title|called|call it|titled|named|titel|heißt|namens|nennt sich|tytuł|tytułem|zatytułowan[aey]|nazywa się) ?(?:is|:|it|ist|to|jest)? ?["“„«]([^"”“»]{1,200})["”“»]/iu,
  ],
  ['title', /["“„«]([^"”“»]{1,200})["”“»] heißen/iu],
  ...NAMED,
  [
    'target_audience',
    /^(?:(?:it|the book|es|das|das buch)(?:['’]s| is| ist)? )?(?:for|für) ((?!example\b)[^.?!\n]{3,200})[.!]?$/iu,
  ],
  // Polish nouns keep the preposition that their case needs.
  [
    'target_audience',
    /^(?:(?:to|książka|to książka)(?: jest)? )?(dla (?!przykładu(?!\p{L}))[^.?!\n]{3,200})[.!]?$/iu,
  ],
  ['chapter_length', new RegExp(`(?<!\\p{L})(${LENGTHS})(?:-length)? ${CHAPTERS}`, 'iu')],
  ['chapter_count', new RegExp(`\\b(\\d{1,3}) (?:(?:${LENGTHS}) )?${CHAPTERS}`, 'iu')],
  [
    'instruction_brief',
    /^(?:brief|about|instructions?|auftrag|anweisung(?:en)?|thema|wytyczne|temat) ?:\s?([^]{1,20000})$/imu,
  ],
];

/** Words with which an author corrects what was noted. */
const CORRECTION =
  /^(?:(?:no|nope|actually|wait|sorry|oops|instead|nein|nee|doch|eigentlich|moment|halt|stopp|warte|entschuldigung|stattdessen|nie|właściwie|przepraszam|jednak|chwila|czekaj|zaraz)(?:[,.!:;] ?| [–-] | (?=(?:the|its|it|that|die|der|das|tytuł|gatunek|odbiorcy|czytelnicy|język) )))+/iu;

/** Returns whether a message corrects what was noted, so that it is no answer to the present question. */
export const isCorrection = (message: string): boolean => CORRECTION.test(message);

/** Returns the fields that a message names, such as `Title: …`, `no, the audience is …` or `12 short chapters`. */
export function statedFields(message: string): BookProfile {
  const content = message.replace(CORRECTION, '');
  const found: BookProfile = {};
  for (const [field, pattern] of STATED) {
    const words = pattern.exec(content)?.[1];
    const value = words === undefined || found[field] !== undefined ? undefined : readField(field, words);
    if (value !== undefined) Object.assign(found, { [field]: value });
  }
  const language = found.language === undefined ? statedLanguage(content) : undefined;
  return language === undefined ? found : { ...found, language };
}
