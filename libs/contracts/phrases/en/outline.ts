/** Changes of a book's outline, and why a request changes nothing. */
export const outline = {
  'outline.added_after': 'Added "{title}" after chapter {number}.',
  'outline.added_first': 'Added "{title}" as the first chapter.',
  'outline.and': '{first} and {rest}',
  'outline.edited': 'Changed the plan of chapter {number}, "{title}".',
  'outline.enough_chapters':
    'The book should have {wanted} chapters, but the sources support only {count}: {reason}',
  'outline.fewer_chapters':
    'The book should have {wanted} chapters, but the sources have sections for only {count}. Add sources and make the outline again, or add chapters yourself.',
  'outline.follows_itself': 'Chapter {number} is already in that place.',
  'outline.merged': 'Merged the chapters {titles}.',
  'outline.moved_after': 'Moved chapter {number}, "{title}", after chapter {after}.',
  'outline.moved_first': 'Moved chapter {number}, "{title}", to the beginning.',
  'outline.named_twice': 'Chapters can be merged only if each is named once.',
  'outline.no_chapter': 'The outline has no chapter {number}.',
  'outline.one_section':
    'Chapter {number} cannot be split: its plan has fewer than two sections. Add sections to it, or add a chapter.',
  'outline.only_chapter': 'The only chapter cannot be removed.',
  'outline.quoted': '"{title}"',
  'outline.removed': 'Removed chapter {number}, "{title}".',
  'outline.renamed': 'Renamed chapter {number} from "{old}" to "{title}".',
  'outline.split': 'Split chapter {number} into "{title}" and "{other}".',
  'outline.with_reason': '{change} Reason: {reason}',
} as const;
