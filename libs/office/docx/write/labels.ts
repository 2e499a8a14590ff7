import type { MissingReason } from './assets.js';

/** Texts that the writer itself adds, by language. */
export interface Labels {
  contents: string;
  /** Abbreviation of the word page before its number. */
  page: string;
  /** Parts of an EPUB. */
  cover: string;
  titlePage: string;
  text: string;
  figure: string;
  table: string;
  callout: Record<'note' | 'tip' | 'important' | 'warning' | 'caution', string>;
  missingImage: string;
  imageLeftOut: string;
  reasons: Record<Exclude<MissingReason, 'not_found'>, string>;
  /** Heading of a part of a table that is too wide for a page. */
  columns: (first: number, last: number, all: number) => string;
}

const ENGLISH: Labels = {
  contents: 'Contents',
  page: 'p.',
  cover: 'Cover',
  titlePage: 'Title page',
  text: 'Text',
  figure: 'Figure',
  table: 'Table',
  callout: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
  missingImage: 'Missing image',
  imageLeftOut: 'Image left out',
  reasons: {
    on_the_web: 'on the web; such images are not fetched',
    outside: 'outside the folder of the document',
    no_file: 'not a file',
    no_access: 'not allowed to be read',
    too_large: 'larger than 50 MB',
    too_many_pixels: 'more than 60 million pixels',
    unreadable: 'damaged, or not an image',
    other_format: 'in a format that documents cannot show',
  },
  columns: (first, last, all) => `Columns ${first}–${last} of ${all}`,
};

const POLISH: Labels = {
  contents: 'Spis treści',
  page: 's.',
  cover: 'Okładka',
  titlePage: 'Strona tytułowa',
  text: 'Tekst',
  figure: 'Rysunek',
  table: 'Tabela',
  callout: {
    note: 'Uwaga',
    tip: 'Wskazówka',
    important: 'Ważne',
    warning: 'Ostrzeżenie',
    caution: 'Niebezpieczeństwo',
  },
  missingImage: 'Brak obrazu',
  imageLeftOut: 'Pominięty obraz',
  reasons: {
    on_the_web: 'z sieci, z której nic nie jest pobierane',
    outside: 'spoza folderu dokumentu',
    no_file: 'nie jest plikiem',
    no_access: 'brak prawa odczytu',
    too_large: 'większy niż 50 MB',
    too_many_pixels: 'więcej niż 60 milionów pikseli',
    unreadable: 'uszkodzony lub nie obraz',
    other_format: 'w formacie, którego dokumenty nie pokazują',
  },
  columns: (first, last, all) => `Kolumny ${first}–${last} z ${all}`,
};

const GERMAN: Labels = {
  contents: 'Inhalt',
  page: 'S.',
  cover: 'Umschlag',
  titlePage: 'Titelseite',
  text: 'Text',
  figure: 'Abbildung',
  table: 'Tabelle',
  callout: { note: 'Hinweis', tip: 'Tipp', important: 'Wichtig', warning: 'Warnung', caution: 'Vorsicht' },
  missingImage: 'Bild fehlt',
  imageLeftOut: 'Bild ausgelassen',
  reasons: {
    on_the_web: 'im Netz, von wo nichts geladen wird',
    outside: 'außerhalb des Ordners des Dokuments',
    no_file: 'keine Datei',
    no_access: 'darf nicht gelesen werden',
    too_large: 'größer als 50 MB',
    too_many_pixels: 'mehr als 60 Millionen Pixel',
    unreadable: 'beschädigt oder kein Bild',
    other_format: 'in einem Format, das Dokumente nicht zeigen',
  },
  columns: (first, last, all) => `Spalten ${first}–${last} von ${all}`,
};

/** Returns the labels for a BCP 47 language tag; English for languages without labels. */
export function labelsFor(language: string): Labels {
  const primary = language.toLowerCase().split('-')[0];
  if (primary === 'pl') return POLISH;
  return primary === 'de' ? GERMAN : ENGLISH;
}
