import type { BookProfile, ProfileField } from '../contract/profile.js';
import { namedLanguage, readField } from './fields.js';

/** Names of the fields in English, German and Polish. */
const NAMES: [ProfileField, string, number][] = [
  ['title', 'working title|title|titel|tytuł', 200],
  ['subtitle', 'subtitle|untertitel|podtytuł', 300],
  ['genre', 'genre|kind|kind of book|gattung|art des buches|gatunek|rodzaj', 100],
  [
    'target_audience',
    '(?:target )?audience|readers|readership|zielgruppe|publikum|leser|odbiorcy|czytelnicy',
    300,
  ],
  ['tone', 'tone|ton|tonfall', 200],
  ['language', 'language|sprache|język', 40],
  ['chapter_length', 'chapter[ _]length|length of (?:the )?chapters|kapitellänge|długość rozdziałów', 40],
  ['chapter_count', 'chapters?(?:[ _]count)?|number of chapters|anzahl der kapitel|liczba rozdziałów', 40],
];
const ARTICLE = '(?:(?:the|its|our|my|die|der|das|den|ihr|unser) )?';
/** Polish names, which "to" may follow; "tone to …" may begin an English title. */
const BEFORE_TO = '(?<=tytuł|gatunek|rodzaj|odbiorcy|czytelnicy|język)';
const IS = `(?:${BEFORE_TO} to| ?[:=]| (?:is|are|should be|must be|has to be|ist|sind|soll|sollte|sollen|jest|są|ma być|powinien być))`;

/** Forms in which a message names a field: `Title: …`, `the audience is …`, `change the tone to …`. */
const NAMED = NAMES.flatMap(([field, names, longest]): [ProfileField, RegExp][] => [
  [field, new RegExp(`^${ARTICLE}(?:${names})${IS} ?(.{1,${longest}})$`, 'imu')],
  [
    field,
    new RegExp(
      `^(?:change|set|make|ändere|setze|zmień|ustaw) ${ARTICLE}(?:${names}) (?:to|auf|in|zu|na) (.{1,${longest}})$`,
      'imu',
    ),
  ],
]);

const STATED: [ProfileField, RegExp][] = [
  ['title', /\b(?:title|called|call it|titled|named) ?(?:is|:|it)? ?["“„«]([^"”“»]{1,200})["”“»]/iu],
  ...NAMED,
  ['target_audience', /^(?:it(?:['’]s| is) )?for ((?!example\b)[^.?!\n]{3,200})[.!]?$/iu],
  ['chapter_length', /\b(short|medium|long)(?:-length)? chapters\b/iu],
  [
    'chapter_count',
    /\b(\d{1,3}) (?:(?:short|medium|long) )?(?:chapters|kapitel|rozdział\p{L}{0,2})(?!\p{L})/iu,
  ],
  ['instruction_brief', /^(?:brief|about|instructions?) ?:\s?([^]{1,20000})$/imu],
];

/** Words with which an author corrects what was noted. */
const CORRECTION =
  /^(?:(?:no|nope|actually|wait|sorry|oops|instead|nein|eigentlich|moment|nie|właściwie|przepraszam)(?:[,.!:;] ?| [–-] | (?=(?:the|its|it|that|die|der|das) )))+/iu;

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
  const language = found.language === undefined ? namedLanguage(content) : undefined;
  return language === undefined ? found : { ...found, language };
}
