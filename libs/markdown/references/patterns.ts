/** File that a source references. `ref` is as written in the source; `line` is 1-based. */
export interface SourceReference {
  ref: string;
  kind: 'image' | 'link' | 'include';
  line: number;
}

/**
 * Regular expressions that are applied to whole sources. A spec proves with `recheck` that each is linear, so
 * they use bounded forms: a class that cannot match its own terminator, and a fixed maximum length.
 */
export const PATTERNS = {
  /**
   * `<img … src="…">`, `<source src>`, `<video poster>`, `<object data>`, `<a href>`, `<link href>`; one
   * attribute at a time.
   */
  htmlTag: /<(img|image|source|video|audio|embed|object|iframe|a|input|script|link)\b([^<>]{1,2000})>/gi,
  htmlAttribute:
    /(?:^|\s)(src|href|data|poster|xlink:href)=(?:"([^"\n]{1,1024})"|'([^'\n]{1,1024})'|([^\s"'>=]{1,1024}))/gi,
  /**
   * `.. image:: x.png`, `.. |name| image:: x.png`, `.. figure::`, `.. include::`, `.. literalinclude::`,
   * `:file:` of csv-table.
   */
  restDirective:
    /^[ \t]{0,40}\.\.[ ](?:\|[^|\n]{1,200}\|[ ])?(image|figure|include|literalinclude|video)::[ ]([^\n]{1,1024})$/gim,
  restFileOption: /^[ \t]{1,40}:file:[ ]([^\n]{1,1024})$/gim,
  restLink: /`[^`<>\n]{0,200}<([^<>`\n]{1,1024})>`__?/g,
  restDownload: /:(?:download|doc):`(?:[^`<>\n]{0,200}<)?([^`<>\n]{1,1024})>?`/g,
  latexGraphics: /\\includegraphics[*]?(?:\[[^\][\n]{0,500}\])?\{([^{}\n]{1,1024})\}/g,
  latexInput:
    /\\(?:input|include|lstinputlisting|verbatiminput)(?:\[[^\][\n]{0,500}\])?\{([^{}\n]{1,1024})\}/g,
  wikiFile: /\[\[(?:File|Image|Datei|Media):([^\][|\n]{1,1024})/gi,
  wikiEmbed: /!\[\[([^\][|#\n]{1,1024})/g,
  asciidocMacro: /\b(image|include|xref|link)::?([^\s:[\]]{1,1024})\[/g,
  mkdocsInclude: /^[ \t]{0,40}(?:--8<--|!include|@include)[ ]["']?([^"'\n]{1,1024})["']?$/gim,
} as const;
