import { blanked } from '#contracts/text.js';
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
    out += text.slice(from, run.at) + blanked(text.slice(run.at, end));
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

type Kind = SourceReference['kind'];

/** Returns all matches of a pattern as references; `pick` returns kind and reference, or null to skip one. */
function matches(
  text: string,
  pattern: RegExp,
  pick: (match: RegExpMatchArray) => { kind: Kind; ref: string } | null,
  firstLine = 1,
): SourceReference[] {
  const lineAt = lineCounter(text, firstLine);
  const found: SourceReference[] = [];
  for (const match of text.matchAll(pattern)) {
    const picked = pick(match);
    // `lineAt` counts line feeds before the match's first character, which may itself follow leading blanks.
    if (picked) found.push({ ref: picked.ref.trim(), kind: picked.kind, line: lineAt(match.index + 1) });
  }
  return found;
}

/**
 * Finds references in `<img src>`, `<a href>` and the like, except in comments. `firstLine` is the number of
 * the text's first line.
 */
export function htmlReferences(text: string, firstLine = 1): SourceReference[] {
  if (!text.includes('<')) return [];
  const lineAt = lineCounter(text, firstLine);
  const found: SourceReference[] = [];
  const visible = withoutComments(text);
  for (const tag of visible.matchAll(PATTERNS.htmlTag)) {
    const name = (tag[1] as string).toLowerCase();
    const line = lineAt(tag.index + 1);
    for (const attribute of (tag[2] as string).matchAll(PATTERNS.htmlAttribute)) {
      const ref = unescapeHtml(attribute[2] ?? attribute[3] ?? attribute[4] ?? '');
      found.push({ ref, kind: htmlKind(name, (attribute[1] as string).toLowerCase()), line });
    }
  }
  return found;
}

function htmlKind(tag: string, attribute: string): Kind {
  if (tag === 'img' || tag === 'image' || tag === 'input' || attribute === 'poster') return 'image';
  return tag === 'a' || tag === 'link' || tag === 'script' ? 'link' : 'include';
}

function withoutComments(text: string): string {
  let out = '';
  let from = 0;
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', from)) {
    const close = text.indexOf('-->', open + 4);
    if (close < 0) break;
    out += text.slice(from, open) + blanked(text.slice(open, close + 3));
    from = close + 3;
  }
  return out + text.slice(from);
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

/** Finds reStructuredText references: image, figure, include and download forms, and HTML in raw blocks. */
export function restReferences(text: string): SourceReference[] {
  return [
    ...matches(text, PATTERNS.restDirective, (match) => {
      const name = (match[1] as string).toLowerCase();
      return { kind: name === 'image' || name === 'figure' ? 'image' : 'include', ref: match[2] as string };
    }),
    ...matches(text, PATTERNS.restFileOption, (match) => ({ kind: 'include', ref: match[1] as string })),
    ...matches(text, PATTERNS.restLink, (match) => ({ kind: 'link', ref: match[1] as string })),
    ...matches(text, PATTERNS.restDownload, (match) => ({ kind: 'link', ref: match[1] as string })),
  ];
}

/** Finds LaTeX references outside comments: `\includegraphics`, `\input`, `\include`, `\lstinputlisting`. */
export function latexReferences(text: string): SourceReference[] {
  const visible = text
    .split('\n')
    .map((line) => {
      const comment = commentStart(line);
      return comment < 0 ? line : line.slice(0, comment);
    })
    .join('\n');
  return [
    ...matches(visible, PATTERNS.latexGraphics, (match) => ({ kind: 'image', ref: match[1] as string })),
    ...matches(visible, PATTERNS.latexInput, (match) => ({ kind: 'include', ref: match[1] as string })),
  ];
}

function commentStart(line: string): number {
  for (let at = line.indexOf('%'); at >= 0; at = line.indexOf('%', at + 1))
    if (line[at - 1] !== '\\') return at;
  return -1;
}

/**
 * Finds `[[File:x.png|…]]`, `![[x.png]]`; with `asciidoc` also `image::x.png[]`, `include::x[]` and links.
 */
export function wikiReferences(text: string, asciidoc: boolean, firstLine = 1): SourceReference[] {
  const found = [
    ...matches(text, PATTERNS.wikiFile, (match) => ({ kind: 'image', ref: match[1] as string }), firstLine),
    ...matches(text, PATTERNS.wikiEmbed, (match) => ({ kind: 'image', ref: match[1] as string }), firstLine),
  ];
  if (!asciidoc) return found;
  const kinds: Record<string, Kind> = { image: 'image', include: 'include', xref: 'link', link: 'link' };
  return found.concat(
    matches(
      text,
      PATTERNS.asciidocMacro,
      (match) => ({ kind: kinds[match[1] as string] ?? 'link', ref: match[2] as string }),
      firstLine,
    ),
  );
}

/** Finds `--8<-- "x.md"`, `!include x.md` and `@include x.md`, each on a separate line. */
export function includeReferences(text: string, firstLine = 1): SourceReference[] {
  return matches(
    text,
    PATTERNS.mkdocsInclude,
    (match) => ({ kind: 'include', ref: match[1] as string }),
    firstLine,
  );
}
