import { hardTokens, isNegation } from '../source/tokens.js';

/** Unknown content words from which on a text counts as a statement; one may be the name of a thing. */
const MIN_UNKNOWN = 2;

/** Words with which a document speaks about itself, and words without content. */
const INTRODUCING = new Set(
  (
    'about above account added after again along also among another appear appears appendix archive around attached ' +
    'based because been before begin beginning begins being belong below between block both chapter code come comes ' +
    'command commands comprises configuration contain contained containing contains content contents copied data ' +
    'define defined defines describe described describes detail details diagram different directory document documents ' +
    'does during each empty entire entries entry event events every example examples excerpt extract figure file files first follow ' +
    'following follows form format found from full further give given gives goes have here holds image images include ' +
    'included includes into introduction item items keep kept last later letter like line lines list listed listing ' +
    'lists local made mail mentioned message messages more most name named names next note notes number numbers order ' +
    'original other output overview page pages parameters part parts picture pictures please present presents previous ' +
    'program provide provided provides read readers record recorded records reference report respective result results ' +
    'same script scripts second section sections settings show showing shown shows since snippet some source sources ' +
    'start starts step steps such summary table tables taken text texts that their them then there these they third ' +
    'this those through title together topic transcript under unchanged until used using value values verbatim version ' +
    'were what when where whether which while whole will with within without words would write written your ' +
    'aber alle allem allen auch abschnitt anhang auszug beispiel befehle bild bilder code daten datei dateien dem den ' +
    'der des die dies diese diesem diesen dieser dieses dokument eine einem einen einer enthalten enthält folgende ' +
    'folgenden folgt gibt hier ihre inhalt jede kapitel konfiguration liste nachfolgend nächste nach oder protokoll ' +
    'quelle quellen quelltext seite sind skript steht tabelle text über unter werden wird zeigt zeilen zusammen ' +
    'bądź całość czyli dane danych dokument fragment jest kolejne kolejny konfiguracja konfigurację następujący ' +
    'następująca następujące niniejszy obraz obrazy oraz plik pliki plików pokazuje poniżej poniższa poniższe poniższy ' +
    'powyżej powyższy przedstawia przykład rozdział rysunek sekcja skrypt spis tabela tabelę tekst treść wiersze ' +
    'wpisy wykaz znajduje zawiera zawartość został została zostały źródło źródła'
  ).split(' '),
);

/** Numbers of parts of the document: "the next two files". */
const COUNTED_PARTS =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:\p{L}+\s+)?(?:blocks?|chapters?|entries|examples?|files?|images?|lines?|lists?|logs?|parts?|scripts?|sections?|steps?|tables?)\b/giu;

/**
 * Returns the words by which prose states something that could be checked: numbers in words, negations, and content
 * words that are not known. Empty for an introduction, such as "The log of the pump follows."
 *
 * @param isKnown whether a source or the name of a file contains the word
 */
export function statedWords(text: string, isKnown: (word: string) => boolean): string[] {
  const plain = text.replace(COUNTED_PARTS, ' ');
  const hard = hardTokens(plain).filter(
    ({ kind, text: word }) =>
      isNegation(word) || ((kind === 'number' || kind === 'negation') && !isKnown(word)),
  );
  if (hard.length > 0) return hard.map(({ text: word }) => word);
  const unknown = [...new Set(contentWords(plain))].filter((word) => !isKnown(word));
  return unknown.length >= MIN_UNKNOWN ? unknown : [];
}

/** Returns the words of four letters or more, in lower case, that may carry content. */
function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return words.filter((word) => !INTRODUCING.has(word));
}
