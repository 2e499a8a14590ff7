import { baseName } from '#contracts/source-name.js';

/**
 * How a source may stand in a manuscript: `markdown` and `text` as prose (or wholly in a fence), `table` as a table or in a fence, `code` (code,
 * logs, configuration, data) in a fence only, exactly.
 */
export type SourceForm = 'markdown' | 'text' | 'table' | 'code';

const MARKDOWN = 'md markdown mdx mdown mkd qmd rmd docx pdf html htm xhtml ipynb odt rtf epub eml';
const TEXT = 'txt text rst rest adoc asciidoc asc tex latex ltx org wiki mediawiki textile nfo me';
const TABLE = 'csv tsv tab';

const FORMS = new Map<string, SourceForm>([
  ...MARKDOWN.split(' ').map((extension) => [extension, 'markdown'] as const),
  ...TEXT.split(' ').map((extension) => [extension, 'text'] as const),
  ...TABLE.split(' ').map((extension) => [extension, 'table'] as const),
]);

const CODE_NAMES =
  /^(?:makefile|dockerfile|jenkinsfile|vagrantfile|procfile|gemfile|rakefile|brewfile|\..+)$/i;

/** The form of a source by its file name. A file with an unknown extension is code: exact is always right. */
export function sourceForm(name: string): SourceForm {
  const base = baseName(name);
  const dot = base.lastIndexOf('.');
  if (dot <= 0) return CODE_NAMES.test(base) ? 'code' : 'text';
  return FORMS.get(base.slice(dot + 1).toLowerCase()) ?? 'code';
}
