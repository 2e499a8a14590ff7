/** Changes of a book's outline, and why a request changes nothing. */
export const outline = {
  'outline.added': 'Added "{title}" {place}.',
  'outline.and': '{first} and {rest}',
  'outline.edited': 'Changed the plan of chapter {number}, "{title}".',
  'outline.fewer_chapters':
    'The book should have {wanted} chapters, but the sources have sections for only {count}. Add sources and make the outline again, or add chapters yourself.',
  'outline.follows_itself': '"move": chapter {number} is already in that place.',
  'outline.merged': 'Merged {titles}.',
  'outline.moved': 'Moved chapter {number}, "{title}", {place}.',
  'outline.named_twice': '"{operation}" names a chapter twice.',
  'outline.no_chapter': '"{operation}": the outline has no chapter {number}.',
  'outline.not_understood': '"{request}" was not understood.',
  'outline.one_section':
    'Chapter {number} cannot be split: its plan has fewer than two sections. Add sections to it, or add a chapter.',
  'outline.only_chapter': 'The only chapter cannot be removed.',
  'outline.place.after': 'after chapter {number}',
  'outline.place.first': 'as the first chapter',
  'outline.quoted': '"{title}"',
  'outline.removed': 'Removed chapter {number}, "{title}".',
  'outline.renamed': 'Renamed chapter {number}, "{old}", to "{title}".',
  'outline.split': 'Split chapter {number} into "{title}" and "{other}".',
  'outline.with_reason': '{change} ({reason})',
} as const;
