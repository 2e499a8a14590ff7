import { isExtractedName } from '#contracts/file-kinds.js';
import { baseName } from '#contracts/source-name.js';

/**
 * Ways in which a manuscript may show a source: `markdown` and `text` as prose (or completely inside a code
 * fence), `table` as a table or in a code fence, `code` (code, logs, configuration, data) exactly, in a code
 * fence only.
 */
export type SourceForm = 'markdown' | 'text' | 'table' | 'code';

const MARKDOWN = 'md markdown mdx mdown mkd qmd rmd xhtml';
const TEXT = 'txt text rst rest adoc asciidoc asc tex latex ltx org wiki mediawiki textile nfo me';
const TABLE = 'csv tsv tab';

const FORMS = new Map<string, SourceForm>([
  ...MARKDOWN.split(' ').map((extension) => [extension, 'markdown'] as const),
  ...TEXT.split(' ').map((extension) => [extension, 'text'] as const),
  ...TABLE.split(' ').map((extension) => [extension, 'table'] as const),
]);

const CODE_NAMES =
  /^(?:makefile|dockerfile|jenkinsfile|vagrantfile|procfile|gemfile|rakefile|brewfile|\..+)$/i;

/**
 * Returns the form of a source by its file name. Files with an unknown extension are code, because exact is
 * always right. What is extracted from documents is Markdown.
 */
export function sourceForm(name: string): SourceForm {
  const base = baseName(name);
  const dot = base.lastIndexOf('.');
  if (dot <= 0) return CODE_NAMES.test(base) ? 'code' : 'text';
  return FORMS.get(base.slice(dot + 1).toLowerCase()) ?? (isExtractedName(base) ? 'markdown' : 'code');
}
