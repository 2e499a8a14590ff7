import type { CitationStyle } from '#contracts/bibliography-names.js';
import {
  citesInNotes,
  mainLanguage,
  pageLabel,
  type Citation,
  type CitationRequest,
  type WrittenCitations,
} from '#contracts/bibliography.js';
import { loadTypst } from '../pdf/typst.js';
import { literal } from '../pdf/typst-literal.js';
import { hayagrivaEntry } from './hayagriva.js';
import { readBibliographyHtml } from './html-markdown.js';

/** Styles of Typst by ours. */
const STYLES: Record<CitationStyle, string> = {
  chicago: 'chicago-notes',
  apa: 'apa',
  mla: 'mla',
  numeric: 'ieee',
};
const FILE = '/scriptorium-references.yml';

/**
 * Writes citations and a bibliography in a style, by Typst's bibliography. Reads no files and no network.
 *
 * @throws NativePackageError
 */
export async function writeCitations(request: CitationRequest): Promise<WrittenCitations> {
  const { style, works, groups, language } = request;
  if (groups.length === 0) return { groups: [], bibliography: [] };
  const { NodeCompiler } = await loadTypst('A citation style');
  const keys = new Map(works.map(({ source_id: id }, index) => [id, `r${index}`]));
  const entries = works.map(({ reference }, index) => [`r${index}`, hayagrivaEntry(reference)]);
  const compiler = NodeCompiler.create({ workspace: '/' });
  // JSON is YAML, in which Hayagriva reads its entries.
  compiler.mapShadow(FILE, Buffer.from(JSON.stringify(Object.fromEntries(entries))));
  const cited = groups.map((group) => {
    const cites = group.map((citation) => cite(citation, keys.get(citation.source_id)!, style, language));
    return `#par[${cites.join('')}]`;
  });
  const source = [
    `#set text(lang: ${literal(mainLanguage(language))})`,
    ...cited,
    `#bibliography(${literal(FILE)}, style: ${literal(STYLES[style])}, title: none)`,
  ].join('\n');
  const html = compiler.html({ mainFileContent: source });
  if (html === null) throw new Error('Typst could not write the citations');
  const written = readBibliographyHtml(html, citesInNotes(style));
  if (written.groups.length !== groups.length) throw new Error('Typst left citations out');
  return { groups: written.groups.map(tidy), bibliography: written.bibliography.map(tidy) };
}

function cite({ page, section }: Citation, key: string, style: CitationStyle, language: string): string {
  const place = placeOf(page, section, style, language);
  return `#cite(label(${literal(key)})${place === '' ? '' : `, supplement: text(${literal(place)})`})`;
}

function placeOf(page: string | null, section: string, style: CitationStyle, language: string): string {
  if (page === null) return style === 'chicago' && section !== '' ? `“${section}”` : '';
  return style === 'chicago' || style === 'mla' ? page : pageLabel(page, language);
}

/** Drops the comma that the style `apa` leaves before a missing day. */
const tidy = (markdown: string): string => markdown.replaceAll(', )', ')');
