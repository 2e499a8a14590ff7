/** What the validation of a manuscript found, in Polish. */
export const issues = {
  'issue.altered':
    'Wiersz {at} manuskryptu różni się od wiersza {line} źródła {source}: {reason}. Zapisz go dokładnie tak jak w źródle.',
  'issue.missing':
    '{source}, {lines} ({kinds}): brak w manuskrypcie. Wstaw ten tekst bez zmian tam, gdzie jest jego miejsce.',
  'issue.missing_why':
    '{source}, {lines} ({kinds}): brak w manuskrypcie ({reason}). Wstaw ten tekst bez zmian tam, gdzie jest jego miejsce.',
  'issue.out_of_order':
    '{source}, {lines} ({kinds}): zła kolejność; tekst jest w wierszu {at} manuskryptu. Przenieś go na właściwe miejsce.',
  'issue.line': 'wiersz {first}',
  'issue.lines': 'wiersze {first}–{last}',
  'issue.duplicate.line':
    'Wiersz {first} manuskryptu powtarza tekst źródła o jeden raz za dużo. Usuń powtórzenie.',
  'issue.duplicate.lines':
    'Wiersze {first}–{last} manuskryptu powtarzają tekst źródła o jeden raz za dużo. Usuń powtórzenie.',
  'issue.added_text.line':
    'Wiersz {first} manuskryptu stwierdza coś, czego nie potwierdza żadne źródło ({words}). Usuń ten tekst albo zostaw tylko wprowadzenie, które niczego nie stwierdza.',
  'issue.added_text.lines':
    'Wiersze {first}–{last} manuskryptu stwierdzają coś, czego nie potwierdza żadne źródło ({words}). Usuń ten tekst albo zostaw tylko wprowadzenie, które niczego nie stwierdza.',
  'issue.unknown.line':
    'Wiersz {first} manuskryptu zawiera to, czego nie ma w żadnym źródle: {words}. Usuń to albo popraw.',
  'issue.unknown.lines':
    'Wiersze {first}–{last} manuskryptu zawierają to, czego nie ma w żadnym źródle: {words}. Usuń to albo popraw.',
  'issue.invented.line': 'Wiersza {first} manuskryptu nie ma w żadnym źródle. Usuń to, co wymyślono.',
  'issue.invented.lines': 'Wierszy {first}–{last} manuskryptu nie ma w żadnym źródle. Usuń to, co wymyślono.',
  'issue.misplaced':
    'Nagłówek w wierszu {at} (poziom {to}; {source}, wiersz {line}, poziom {from}) jest pod innym nagłówkiem niż w źródle. Zmień jego poziom razem z sąsiednimi.',
  'issue.more': 'Liczba różnic, których tu nie wymieniono: {number}; najpierw popraw te.',
  'issue.with_detail': '{rule}: {detail}',
  'line_class.blank': 'pusty wiersz',
  'line_class.prose': 'tekst',
  'line_class.heading': 'nagłówek',
  'line_class.table': 'tabela',
  'line_class.code': 'kod',
  'line_class.markup': 'znaczniki',
  'line_class.front_matter': 'metadane',
  'lint_rule.MD022': 'Nagłówki powinny być otoczone pustymi wierszami',
  'lint_rule.MD023': 'Nagłówki muszą zaczynać się na początku wiersza',
  'lint_rule.MD031': 'Bloki kodu powinny być otoczone pustymi wierszami',
  'lint_rule.MD056': 'Liczba kolumn tabeli',
  'lint_rule.MD058': 'Tabele powinny być otoczone pustymi wierszami',
  'lint_rule.SCR-fence': 'Blok kodu musi być zamknięty',
  'lint_rule.SCR-heading-level': 'Dokument zaczyna się od # i nie pomija poziomu nagłówków',
  'lint_rule.SCR-table': 'Nagłówek tabeli ma tyle komórek co wiersz rozdzielający',
  'lint_rule.SCR-image': 'Każdy obraz ma swój plik albo został pominięty przez człowieka',
  'validation.empty': 'Manuskrypt jest pusty',
  'validation.crashed': 'Sprawdzanie uległo awarii',
  'validation.timeout': 'Sprawdzanie trwało zbyt długo',
  'validation.no_manuscript': 'Nie ma jeszcze manuskryptu: nic nie zostało napisane',
} as const;
