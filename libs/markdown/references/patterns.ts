/** Blanks out inline code spans (`…`, ``…``), preserving the length. Linear; skips unclosed markers. */
export function withoutInlineCode(text: string): string {
  if (!text.includes('`')) return text;
  const runs: { at: number; length: number }[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '`') continue;
    const at = i;
    while (text[i] === '`') i++;
    runs.push({ at, length: i - at });
  }
  const nextOfLength = new Map<number, number>();
  const closer = new Array<number>(runs.length).fill(-1);
  for (let k = runs.length - 1; k >= 0; k--) {
    const length = (runs[k] as { length: number }).length;
    closer[k] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, k);
  }
  let out = '';
  let from = 0;
  for (let k = 0; k < runs.length; k++) {
    const run = runs[k] as { at: number; length: number };
    const close = closer[k] as number;
    const escaped = text[run.at - 1] === '\\' && text[run.at - 2] !== '\\';
    if (close < 0 || escaped) continue;
    const end = (runs[close] as { at: number }).at + run.length;
    out += text.slice(from, run.at) + text.slice(run.at, end).replace(/[^\n]/g, ' ');
    from = end;
    k = close;
  }
  return out + text.slice(from);
}

/**
 * Returns a function that maps offsets to 1-based line numbers; offsets must be passed in ascending order.
 */
export function lineCounter(text: string, firstLine = 1): (offset: number) => number {
  let line = firstLine;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}

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
