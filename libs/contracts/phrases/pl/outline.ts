/** Polish texts of `en/outline.ts`. */
export const outline = {
  'outline.added_after': 'Dodano „{title}” po rozdziale {number}.',
  'outline.added_first': 'Dodano „{title}” jako pierwszy rozdział.',
  'outline.and': '{first} i {rest}',
  'outline.edited': 'Zmieniono plan rozdziału {number}, „{title}”.',
  'outline.enough_chapters':
    'Książka ma mieć {wanted} rozdziałów, ale źródła wystarczają tylko na {count}: {reason}',
  'outline.fewer_chapters':
    'Liczba rozdziałów książki ma wynosić {wanted}, ale sekcji w źródłach wystarcza tylko na {count}. Dodaj źródła i utwórz konspekt ponownie albo dodaj rozdziały samodzielnie.',
  'outline.follows_itself': 'Rozdział {number} już jest w tym miejscu.',
  'outline.merged': 'Połączono rozdziały {titles}.',
  'outline.moved_after': 'Przeniesiono rozdział {number}, „{title}”, za rozdział {after}.',
  'outline.moved_first': 'Przeniesiono rozdział {number}, „{title}”, na początek.',
  'outline.named_twice': 'Rozdziały można połączyć tylko wtedy, gdy każdy jest wymieniony raz.',
  'outline.no_chapter': 'W konspekcie nie ma rozdziału {number}.',
  'outline.one_section':
    'Rozdziału {number} nie można podzielić: jego plan ma mniej niż dwie sekcje. Dodaj do niego sekcje albo dodaj rozdział.',
  'outline.only_chapter': 'Nie można usunąć jedynego rozdziału.',
  'outline.quoted': '„{title}”',
  'outline.removed': 'Usunięto rozdział {number}, „{title}”.',
  'outline.renamed': 'Zmieniono tytuł rozdziału {number}, „{old}”, na „{title}”.',
  'outline.split': 'Podzielono rozdział {number} na „{title}” i „{other}”.',
  'outline.with_reason': '{change} Powód: {reason}',
} as const;
