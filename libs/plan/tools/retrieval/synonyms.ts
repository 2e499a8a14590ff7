/**
 * Words by which people ask for the platform's tools and that their descriptions do not contain. A word belongs to
 * the tool that does the work, not to tools that prepare it.
 */
const SYNONYMS: Record<string, string> = {
  list_inputs: 'all files uploads documents attachments folder directory available uploaded',
  read_input: 'open load view content show docx doc pdf html scan scanned ipynb webpage contract text words',
  read_table: 'xls excel workbook spreadsheet sheet tabular tsv records data load import columns',
  parse_csv: 'table tabular tsv records',
  parse_json: 'jsonl ndjson object payload',
  parse_yaml: 'yml config configuration settings',
  parse_xml: 'xml feed rss soap elements',
  query_tables: 'join merge combine match lookup database select where relational filter rank top',
  aggregate: 'total sum average mean count minimum maximum highest lowest statistics pivot add up per group',
  transform_json: 'map pick convert restructure reshape extract fields',
  fill_template: 'letter mail merge serial placeholder placeholders variables form invoice reminder liquid',
  branch: 'if else condition unless only when decide case check threshold',
  draw_chart: 'graph plot diagram visualise visualize bar pie line histogram picture figure',
  diff_texts: 'changes changed difference versions compare revision redline',
  write_file:
    'save store download export csv output create report file result docx pdf word document ebook publish print convert make turn',
  http_request:
    'api rest endpoint webhook json post put patch delete get call send crm service integration website webpage url fetch link internet online download browse',
  send_mail: 'email smtp message notify notification deliver recipient attachment',
  search_knowledge: 'look up find lookup wiki documentation policy manual question facts rag retrieve',
  call_model:
    'summarise summarize summary translate translation german polish english french write draft email mail letter report rewrite classify label sentiment explain judge review extract names answer question llm gpt ai',
  run_document: 'manuscript compile merge verbatim complete faithful word docx handover report all files',
  run_article: 'blog post essay research topic style review repurpose linkedin newsletter',
  run_book: 'chapter outline toc novel write long publish epub',
  map: 'every each all loop foreach iterate batch repeat per file one by one',
};

/** German and Polish words, with the forms that requests have: the index stems English only. */
const TRANSLATIONS: Record<string, string> = {
  list_inputs:
    'dateien dokumente unterlagen anhänge hochgeladen auflisten liste pliki dokumenty załączniki wgrane lista wypisz',
  read_input:
    'lies lesen öffne öffnen inhalt anzeigen zeige vertrag gescannt text auslesen przeczytaj otwórz treść zawartość pokaż umowa skan skanu tekst wyciągnij odczytaj',
  read_table:
    'tabelle tabellen spalten zeilen datensätze arbeitsmappe blatt tabela tabelę tabeli kolumny wiersze arkusz arkusza kalkulacyjny kalkulacyjnego',
  parse_csv: 'trennzeichen separator przecinkami',
  parse_json: 'objekt antwort obiekt odpowiedź',
  parse_yaml: 'konfiguration einstellungen konfiguracja konfigurację ustawienia',
  parse_xml: 'elemente kanał elementy',
  query_tables:
    'verbinde verbinden verknüpfe verknüpfen filtere filtern sortiere sortieren welche połącz złącz filtruj sortuj posortuj które',
  aggregate:
    'summe summiere durchschnitt durchschnittlich mittelwert anzahl zähle höchste niedrigste größte kleinste je pro gruppe suma sumę zsumuj średnia średnią liczba policz najwyższa najwyższy największa największy najniższa najmniejsza grupa grupie',
  transform_json: 'felder umbenennen umformen pola przekształć zmień nazwę',
  fill_template:
    'vorlage vorlagen platzhalter serienbrief anschreiben rechnung mahnung szablon szablonu wypełnij korespondencja seryjna',
  branch: 'falls wenn sonst bedingung prüfe jeśli jeżeli warunek sprawdź inaczej',
  draw_chart:
    'diagramm balkendiagramm kreisdiagramm liniendiagramm grafik zeichne wykres wykresy słupkowy kołowy liniowy narysuj diagram',
  diff_texts:
    'vergleiche vergleichen vergleich unterschied unterschiede änderungen fassungen versionen porównaj porównanie różnica różnice zmiany wersje',
  write_file:
    'speichere speichern datei ergebnis herunterladen wandle umwandeln exportiere dokument zapisz zapisać plik pliku wynik pobrania konwertuj zamień eksportuj',
  http_request:
    'schnittstelle sende senden aufrufen webseite internetseite lade adresse wyślij wysłać wywołaj strona strony stronę internetowa pobierz adres',
  send_mail:
    'schicke schicken verschicke empfänger anhang benachrichtige poczta pocztą adresat załącznik powiadom',
  search_knowledge:
    'wissen wissensdatenbank handbuch suche suchen nachschlagen richtlinie baza bazie wiedzy podręcznik wyszukaj znajdź szukaj zasady',
  call_model:
    'übersetze übersetzen übersetzung fasse zusammen zusammenfassen zusammenfassung schreibe schreiben verfasse entwirf bericht brief erkläre klassifiziere deutsch deutsche englisch polnisch przetłumacz tłumaczenie streść streszczenie podsumuj podsumowanie napisz raport list wyjaśnij sklasyfikuj niemiecki angielski polski',
  run_document: 'übergabedokument übergabe vollständig dokument przekazania kompletny',
  run_article: 'artikel beitrag blogbeitrag artykuł artykułu wpis bloga',
  run_book: 'buch kapitel roman książka książkę rozdział rozdziały powieść',
  map: 'jede jeden jedes alle einzeln nacheinander każdy każda każde każdego każdej wszystkie po kolei',
};

const wordsIn = (words: Record<string, string>, name: string): string =>
  Object.hasOwn(words, name) ? words[name]! : '';

/** Returns the English synonyms of a tool's name; may be empty. */
export const synonymsOf = (name: string): string => wordsIn(SYNONYMS, name);

/** Returns German and Polish words for a tool; may be empty. */
export const translationsOf = (name: string): string => wordsIn(TRANSLATIONS, name);
