import { withoutQuery } from '#contracts/text.js';
import { baseName } from '#contracts/source-name.js';
import { markdownReferences } from './markdown.js';
import {
  htmlReferences,
  latexReferences,
  restReferences,
  wikiReferences,
  type SourceReference,
} from './markup.js';

export type { SourceReference };

const MARKDOWN = new Set(['md', 'markdown', 'mdx', 'txt', 'text', 'qmd', 'rmd', '']);
const HTML = new Set(['html', 'htm', 'xhtml']);
/** Formats from which Markdown is extracted. An HTML page may also be read in its original form. */
const EXTRACTED = new Set(
  'doc dot xls xlt ppt pps pot docx docm dotx dotm pdf ipynb rtf odt ott ods ots odp otp xlsx xlsm xltx pptx pptm ppsx potx epub'.split(
    ' ',
  ),
);
const REST = new Set(['rst', 'rest']);
const LATEX = new Set(['tex', 'latex', 'ltx']);
const ASCIIDOC = new Set(['adoc', 'asciidoc', 'asc']);
const WIKI = new Set(['wiki', 'mediawiki']);

/**
 * Finds the images, local links and includes of a prose source, ordered by line, each reference once per line
 * (D4). Reads Markdown, HTML, reStructuredText, AsciiDoc, wiki and LaTeX forms. Ignores URLs, mail addresses,
 * data URIs and anchors, and code (fenced, indented or inline). Files of code, logs and data contain no
 * references. Linear in the text.
 */
export function findReferences(text: string, fileName: string): SourceReference[] {
  const base = baseName(fileName);
  const dot = base.lastIndexOf('.');
  const extension = dot > 0 ? base.slice(dot + 1).toLowerCase() : '';
  const found = collect(text, extension);
  const seen = new Set<string>();
  return found
    .filter((reference) => {
      const key = `${reference.line} ${reference.kind} ${reference.ref}`;
      return isFileReference(reference) && !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => a.line - b.line);
}

function collect(text: string, extension: string): SourceReference[] {
  if (MARKDOWN.has(extension)) return markdownReferences(text);
  if (HTML.has(extension) && text.trimStart().startsWith('<')) return htmlReferences(text);
  if (HTML.has(extension) || EXTRACTED.has(extension)) return markdownReferences(text);
  if (REST.has(extension)) return restReferences(text);
  if (LATEX.has(extension)) return latexReferences(text);
  if (ASCIIDOC.has(extension)) return wikiReferences(text, true);
  if (WIKI.has(extension)) return wikiReferences(text, false);
  return [];
}

/** Pages are linked for further reading; the document does not need them. */
const PAGE = /\.(?:md|mdx|markdown|rst|adoc|x?html?|php|aspx?|jsp)$/i;

/**
 * Returns whether a reference names a file of the session: not a URL with a scheme (`http:`, `mailto:`,
 * `data:`), a protocol-relative URL, an anchor or a template.
 */
function isFileReference({ ref, kind }: SourceReference): boolean {
  if (ref === '' || ref.length > 1024 || /^(?:[a-z][a-z0-9+.-]+:|\/\/|#|\?)/i.test(ref) || /[{}\n]/.test(ref))
    return false;
  if (kind !== 'link') return true;
  const path = withoutQuery(ref);
  return (
    /[^/\\.]\.[a-z0-9]{1,8}$/i.test(path) &&
    !PAGE.test(path) &&
    !/^www\.|@/.test(path) &&
    !/\.(?:com|org|net|io|dev)$/i.test(path)
  );
}
