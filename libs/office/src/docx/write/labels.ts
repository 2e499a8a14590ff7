/** The few words that the writer itself adds, by language. */
export interface Labels {
  contents: string;
  figure: string;
  table: string;
  callout: Record<'note' | 'tip' | 'important' | 'warning' | 'caution', string>;
  missingImage: string;
}

const ENGLISH: Labels = {
  contents: 'Contents',
  figure: 'Figure',
  table: 'Table',
  callout: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
  missingImage: 'Missing image',
};

const POLISH: Labels = {
  contents: 'Spis treści',
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
};

const GERMAN: Labels = {
  contents: 'Inhalt',
  figure: 'Abbildung',
  table: 'Tabelle',
  callout: { note: 'Hinweis', tip: 'Tipp', important: 'Wichtig', warning: 'Warnung', caution: 'Vorsicht' },
  missingImage: 'Bild fehlt',
};

/** Labels for a BCP 47 language tag; English where there are none. */
export function labelsFor(language: string): Labels {
  const primary = language.toLowerCase().split('-')[0];
  if (primary === 'pl') return POLISH;
  return primary === 'de' ? GERMAN : ENGLISH;
}
