/** Polish texts of `en/outline.ts`. */
export const outline = {
  'outline.added': 'Dodano „{title}” {place}.',
  'outline.and': '{first} i {rest}',
  'outline.edited': 'Zmieniono plan rozdziału {number}, „{title}”.',
  'outline.fewer_chapters':
    'Liczba rozdziałów książki ma wynosić {wanted}, ale sekcji w źródłach wystarcza tylko na {count}. Dodaj źródła i utwórz konspekt ponownie albo dodaj rozdziały samodzielnie.',
  'outline.follows_itself': '„move”: rozdział {number} już jest w tym miejscu.',
  'outline.merged': 'Połączono {titles}.',
  'outline.moved': 'Przeniesiono rozdział {number}, „{title}”, {place}.',
  'outline.named_twice': '„{operation}” dwa razy wskazuje ten sam rozdział.',
  'outline.no_chapter': '„{operation}”: w konspekcie nie ma rozdziału {number}.',
  'outline.not_understood': 'Nie udało się zrozumieć prośby „{request}”.',
  'outline.one_section':
    'Rozdziału {number} nie można podzielić: jego plan ma mniej niż dwie sekcje. Dodaj do niego sekcje albo dodaj rozdział.',
  'outline.only_chapter': 'Nie można usunąć jedynego rozdziału.',
  'outline.place.after': 'po rozdziale {number}',
  'outline.place.first': 'jako pierwszy rozdział',
  'outline.quoted': '„{title}”',
  'outline.removed': 'Usunięto rozdział {number}, „{title}”.',
  'outline.renamed': 'Zmieniono tytuł rozdziału {number}, „{old}”, na „{title}”.',
  'outline.split': 'Podzielono rozdział {number} na „{title}” i „{other}”.',
  'outline.with_reason': '{change} ({reason})',
} as const;
