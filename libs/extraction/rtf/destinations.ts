/** Use of a group's words. `ignore` drops them, but not the group's inner groups. */
export type Destination =
  | 'text'
  | 'skip'
  | 'ignore'
  | 'fonts'
  | 'styles'
  | 'lists'
  | 'levelText'
  | 'label'
  | 'collect'
  | 'field'
  | 'picture'
  | 'math';

const named = (destination: Destination, names: string): [string, Destination][] =>
  names.split(' ').map((name) => [name, destination]);

/** Groups by the word that begins them. */
export const DESTINATIONS: ReadonlyMap<string, Destination> = new Map([
  ...named('text', 'field fldrslt footnote annotation shptxt dptxbxtext shppict object result ud'),
  ...named('text', 'header headerl headerr headerf footer footerl footerr footerf'),
  ...named('ignore', 'shp shpgrp shpinst sp do picprop'),
  ...named('fonts', 'fonttbl'),
  ...named('styles', 'stylesheet'),
  ...named('lists', 'listtable listoverridetable'),
  ...named('levelText', 'leveltext'),
  ...named('label', 'listtext pntext'),
  ...named('collect', 'sn sv ffl'),
  ...named('field', 'fldinst formfield'),
  ...named('picture', 'pict'),
  ...named('math', 'mmath mmathPara moMath moMathPara'),
]);

/**
 * Groups of words that are not shown and that may lack `\*`: tables of the file, notes of programs, index entries,
 * and repetitions of what another group shows.
 */
export const SKIPPED: ReadonlySet<string> = new Set(
  (
    'colortbl info filetbl revtbl levelnumbers listname nonshppict shprslt nonesttables xe tc tcn rxe txe objdata objclass objname ' +
    'ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn pntxta pntxtb mmathPict themedata colorschememapping'
  ).split(' '),
);

/** Characters by their symbols and words. */
export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['-', '\u00ad'],
  ['tab', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', '\u2003'],
  ['enspace', '\u2002'],
  ['qmspace', '\u2005'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['zwbo', '\u200b'],
  ['zwnbo', '\u2060'],
  ['ltrmark', '\u200e'],
  ['rtlmark', '\u200f'],
]);
