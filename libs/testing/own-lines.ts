import { scanText } from '#markdown/fences.js';
import type { LedgerSource } from '#verbatim/ledger.js';

/** A manuscript with the sources that it carries. */
export interface CarriedFolder {
  manuscript: string;
  sources: LedgerSource[];
}

/** A manuscript with one line of its own, counted from 1. */
export interface OwnLine {
  text: string;
  manuscript: string;
  line: number;
  sources: LedgerSource[];
}

type Pick = <T>(items: readonly T[]) => T;

/** Returns sentences and headings that no source supports, each in one of the manuscripts; half of them use only words of the sources. */
export function inventedLines(folders: readonly CarriedFolder[], count: number, seed: number): OwnLine[] {
  const random = seeded(seed);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)]!;
  const found: OwnLine[] = [];
  for (let tries = 0; found.length < count && tries < count * 50; tries++) {
    const folder = folders[found.length % folders.length]!;
    const changes = found.length % 2 === 0 ? OF_SOURCE_WORDS : OF_NEW_WORDS;
    const words = pick(changes)(sentencesOf(folder.sources), pick);
    if (words === null || isSaid(words, folder.sources)) continue;
    const shape = pick(SHAPES);
    found.push(inserted(folder, shape(words), pick(titlesOf(folder.manuscript))));
  }
  return found;
}

/** Returns introductions in English, German and Polish that only name files, headings, kinds of material and counts. */
export function honestIntroductions(
  folders: readonly CarriedFolder[],
  count: number,
  seed: number,
): OwnLine[] {
  const random = seeded(seed);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)]!;
  return Array.from({ length: count }, (_, index) => {
    const folder = folders[index % folders.length]!;
    const { sources } = folder;
    const file = pick(sources.filter(({ name }) => titleOf(folder, name) !== undefined));
    const text = INTRODUCTIONS[index % INTRODUCTIONS.length]!.replace('{file}', file.name)
      .replace('{other}', pick(sources).name)
      .replace('{heading}', pick(headingsOf(sources)))
      .replace('{lines}', String(file.text.trimEnd().split('\n').length))
      .replace('{files}', String(sources.length));
    return inserted(folder, text, titleOf(folder, file.name)!);
  });
}

type Change = (sentences: string[], pick: Pick) => string | null;

/** Repeatable random numbers (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NEGATION = /\b(?:not|no|never|nie|bez)\b ?/;
const halves = (sentence: string): [string, string] => {
  const words = sentence.split(' ');
  const at = Math.ceil(words.length / 2);
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')];
};
const subjectOf = (sentence: string): [string, string] => {
  const words = sentence.split(' ');
  return [words.slice(0, 3).join(' '), words.slice(3).join(' ')];
};

const OF_SOURCE_WORDS: Change[] = [
  // A dropped negation.
  (sentences, pick) => {
    const denials = sentences.filter((sentence) => NEGATION.test(sentence));
    return denials.length === 0 ? null : pick(denials).replace(NEGATION, '');
  },
  // The subject of another sentence.
  (sentences, pick) => `${subjectOf(pick(sentences))[0]} ${subjectOf(pick(sentences))[1]}`,
  // Two halves joined as cause and effect.
  (sentences, pick) => {
    const joint = ['because', 'bo', 'so'].find((word) =>
      sentences.some((sentence) => sentence.includes(` ${word} `)),
    );
    return `${halves(pick(sentences))[0]} ${joint ?? 'and'} ${halves(pick(sentences))[1]}`;
  },
  // Words in another order.
  (sentences, pick) => {
    const [first, second] = halves(pick(sentences));
    return `${second} ${first}`;
  },
  // A few words of several sentences.
  (sentences, pick) => Array.from({ length: 5 }, () => pick(pick(sentences).split(' '))).join(' '),
];

const OF_NEW_WORDS: Change[] = [
  (sentences, pick) => `${subjectOf(pick(sentences))[0]} was a mistake`,
  (sentences, pick) => `${subjectOf(pick(sentences))[0]} proving operator negligence`,
  (sentences, pick) => `${halves(pick(sentences))[0]} through the fault of Mrs Hartley`,
  (sentences, pick) => `${pick(sentences)} on purpose`,
  (sentences, pick) =>
    pick(sentences)
      .replace(/\d+/, (digits) => `${digits}7`)
      .concat(' in total'),
  (_, pick) =>
    pick([
      'The alarm threshold was wrong',
      'Nobody was at fault',
      'Ursache war ein Bedienfehler',
      'Winę ponosi dostawca',
    ]),
];

const SHAPES = [
  (words: string) => `${words}.`,
  (words: string) => `${words}.`,
  (words: string) => `${words}:`,
  (words: string) => `## ${words}`,
  (words: string) => `## ${words}`,
];

const INTRODUCTIONS = [
  'The log {file}:',
  'Das Protokoll {file}:',
  'Dziennik {file}:',
  'Here is the complete listing of {file}:',
  'Es folgt der vollständige Inhalt von {file}:',
  'Poniżej znajduje się pełna treść pliku {file}:',
  'The following table comes from {file}:',
  'Die folgende Tabelle stammt aus {file}:',
  'Poniższa tabela pochodzi z pliku {file}:',
  'Section “{heading}” of {file}:',
  'Abschnitt „{heading}“ aus {file}:',
  'Sekcja „{heading}” z pliku {file}:',
  'Excerpt from {file}:',
  'Auszug aus der Datei {file}:',
  'Fragment pliku {file}:',
  'Below are the {lines} lines of {file}:',
  'Die {lines} Zeilen von {file}:',
  'Wiersze pliku {file} ({lines}):',
  'The source code in {file}:',
  'Quelltext der Datei {file}:',
  'Kod źródłowy z pliku {file}:',
  'Configuration file {file}, in full:',
  'Die Konfiguration aus {file} im Wortlaut:',
  'Konfiguracja z pliku {file}, słowo w słowo:',
  'The {files} files of this document are as follows:',
  'Die {files} Dateien dieses Dokuments:',
  'Pliki tego dokumentu ({files}):',
  'Notes from {file}, word for word:',
  'Notizen aus {file}:',
  'Notatki z pliku {file}:',
  'The messages under “{heading}”:',
  'Nachfolgend die Meldungen unter „{heading}“:',
  'Komunikaty z rozdziału „{heading}”:',
  'The chapter “{heading}” reads as follows:',
  'Das Kapitel „{heading}“ lautet:',
  'Rozdział „{heading}” brzmi następująco:',
  'Attached image:',
  'Das Bild dazu:',
  'Obraz do rozdziału „{heading}”:',
  'Script {file} with its comments:',
  'Das Skript {file} mit seinen Kommentaren:',
  'Skrypt {file} wraz z komentarzami:',
  'Next, the data of {file}:',
  'Hier stehen die Daten aus {file}:',
  'Dane zapisane w pliku {file}:',
  'Continued from {file}:',
  'Fortsetzung von {file}:',
  'Ciąg dalszy pliku {file}:',
  'What follows is the text of {file}:',
  'Im Folgenden der Text von {file}:',
  'Tekst pliku {file}:',
  'See the table in {file}:',
  'Siehe die Tabelle in {file}:',
  'Zobacz tabelę w pliku {file}:',
  'Both files, {file} and {other}:',
  'Anbei die Liste aus {file}:',
  'W załączeniu lista z pliku {file}:',
  '{file}, then {other}:',
  'Zuerst {file}, danach {other}:',
  'Najpierw {file}, potem {other}:',
];

/** Returns sentences of prose with at least six words, without final punctuation. */
const sentencesOf = (sources: readonly LedgerSource[]): string[] =>
  sources
    .flatMap(({ text }) => text.split(/\n|(?<=[.!?])\s/))
    .map((line) => line.replace(/^[\s#>|*-]+|[\s|.:!?]+$/g, ''))
    .filter((line) => /^\p{L}/u.test(line) && line.split(' ').length >= 6 && !/[|{}[\]<>`]/.test(line));

const headingsOf = (sources: readonly LedgerSource[]): string[] =>
  sources
    .filter(({ name }) => name.endsWith('.md'))
    .flatMap(({ text }) => [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!));

const isSaid = (words: string, sources: readonly LedgerSource[]): boolean =>
  sources.some(({ text }) => text.toLowerCase().includes(words.toLowerCase()));

const titlesOf = (manuscript: string): number[] =>
  scanText(manuscript)
    .outline.filter(({ level }) => level === 1)
    .map(({ line }) => line - 1);

/** Returns the line of the chapter that carries a file: the last title before its first line. */
function titleOf({ manuscript, sources }: CarriedFolder, name: string): number | undefined {
  const first = sources
    .find((source) => source.name === name)!
    .text.split('\n')[0]!
    .replace(/^#+ /, '');
  const at = manuscript.split('\n').findIndex((line) => first !== '' && line.replace(/^#+ /, '') === first);
  return titlesOf(manuscript).findLast((title) => title <= at);
}

function inserted({ manuscript, sources }: CarriedFolder, text: string, title: number): OwnLine {
  const lines = manuscript.split('\n');
  lines.splice(title + 1, 0, '', text, '');
  return { text, manuscript: lines.join('\n'), line: title + 3, sources };
}
