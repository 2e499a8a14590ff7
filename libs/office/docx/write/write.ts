import type { Structure, Note } from '#contracts/structure.js';
import { prepareAssets, type AssetResolver, type MissingReason } from './assets.js';
import { BlockWriter } from './blocks.js';
import { WriteContext } from './context.js';
import { appendixHeading, coverXml, pageBreak, tocEntries, tocXml } from './front.js';
import { labelsFor } from './labels.js';
import { officeMath } from './math.js';
import { Numbering } from './numbering.js';
import { settingsOf, type DocxOptions, type Settings } from './options.js';
import { packageRels, packDocument, PART_TYPES, type Part } from './package.js';
import { pageNumbers } from './pages.js';
import { readReference, type Reference } from './reference.js';
import { ownSection, referenceSection } from './section.js';
import { appXml, coreXml, customXml, settingsXml } from './properties.js';
import { Relationships } from './relationships.js';
import { ownStyleSheet } from './style-sheet.js';
import { NAMESPACES, XML_HEAD } from './xml.js';

export type { AssetResolver, MissingReason } from './assets.js';
export type { DocxOptions } from './options.js';

/**
 * Writes a document as DOCX (D24); equal input produces equal bytes.
 *
 * @param structure `structure.json`
 * @param resolveAsset reads an image by its reference as in the Markdown; if it returns null, a placeholder
 * text is shown
 * @param onMissing called with each omitted image and the reason
 * @returns the bytes of the file
 */
export async function writeDocx(
  structure: Structure,
  resolveAsset: AssetResolver,
  options: DocxOptions = {},
  onMissing: (ref: string, reason: MissingReason) => void = () => undefined,
): Promise<Uint8Array> {
  const settings = settingsOf(structure, options);
  const refs = structure.assets.map((asset) => asset.ref);
  const assets = await prepareAssets(refs, resolveAsset);
  for (const [ref, asset] of assets) if ('missing' in asset) onMissing(ref, asset.missing);
  const reference = options.referenceDocx ? readReference(options.referenceDocx) : null;
  const styles = reference?.styles ?? ownStyleSheet(settings.language);
  const numbering = new Numbering();
  const context = new WriteContext(
    structure,
    styles,
    numbering,
    labelsFor(settings.language),
    { ...settings.page, ...reference?.layout },
    settings.numberSections,
    settings.chaptersOnNewPages,
    assets,
    await officeMath([structure.blocks, structure.notes, options.appendix?.blocks]),
    {
      numbered: settings.lineNumbers,
      // Loaded only if needed, since it contains forty languages.
      highlight: settings.codeColors ? (await import('./highlight.js')).highlight : null,
    },
  );
  return packDocument(documentParts(structure, settings, options, context, reference));
}

function documentParts(
  structure: Structure,
  settings: Settings,
  options: DocxOptions,
  context: WriteContext,
  reference: Reference | null,
): Part[] {
  const { styles } = context;
  const rels = new Relationships();
  rels.add('styles', 'styles.xml');
  rels.add('numbering', 'numbering.xml');
  rels.add('settings', 'settings.xml');
  const writer = new BlockWriter(context, rels, true);
  const cover = settings.cover ? coverXml(settings, writer) : '';
  const body = bodyXml(structure, options, writer);
  const notes = footnotesXml(structure.notes, context);
  const hasNotes = structure.notes.length > 0;
  if (hasNotes) rels.add('footnotes', 'footnotes.xml');
  const section = reference
    ? referenceSection(reference, settings, rels)
    : ownSection(settings, styles, rels);
  const shared: Part[] = [
    { path: 'word/styles.xml', content: styles.xml, type: PART_TYPES.styles },
    { path: 'word/numbering.xml', content: context.numbering.xml(), type: PART_TYPES.numbering },
    { path: 'word/settings.xml', content: settingsXml(NAMESPACES, hasNotes), type: PART_TYPES.settings },
    ...section.parts,
    ...(hasNotes ? noteParts(notes) : []),
  ];
  const entries = settings.toc ? tocEntries(structure, settings.numberSections) : [];
  const tocOf = (pages: ReadonlyMap<string, number>): string =>
    settings.toc ? tocXml(entries, pages, writer) : '';
  const relsPart: Part = { path: 'word/_rels/document.xml.rels', content: rels.xml() };
  const last = entries.at(-1);
  const pages = last
    ? pageNumbers(
        { cover, toc: tocOf(new Map()), body, footnotes: hasNotes ? notes.xml : '', styles: styles.xml },
        context.page,
        context.bookmark(last.id),
      )
    : new Map<string, number>();
  const toc = tocOf(pages);
  const documentXml = `${XML_HEAD}<w:document ${NAMESPACES}><w:body>${cover}${toc}${body}${section.xml}</w:body></w:document>`;
  return [
    { path: '_rels/.rels', content: packageRels(Object.keys(settings.properties).length > 0) },
    { path: 'word/document.xml', content: documentXml, type: PART_TYPES.document },
    relsPart,
    ...shared,
    ...propertyParts(settings),
    ...context.media.map((file) => ({ path: `word/media/${file.name}`, content: file.bytes })),
  ];
}

function bodyXml(structure: Structure, options: DocxOptions, writer: BlockWriter): string {
  const place = { style: 'Normal', indent: null, depth: 0, numbered: 0 };
  const body = writer.blocks(structure.blocks, place);
  if (!options.appendix) return body;
  const { title, blocks } = options.appendix;
  return body + pageBreak + writer.blocks([appendixHeading(title), ...blocks], place);
}

function noteParts({ xml, rels }: ReturnType<typeof footnotesXml>): Part[] {
  const part: Part = { path: 'word/footnotes.xml', content: xml, type: PART_TYPES.footnotes };
  return rels.empty ? [part] : [part, { path: 'word/_rels/footnotes.xml.rels', content: rels.xml() }];
}

function propertyParts(settings: Settings): Part[] {
  const parts: Part[] = [
    { path: 'docProps/core.xml', content: coreXml(settings), type: PART_TYPES.core },
    { path: 'docProps/app.xml', content: appXml(), type: PART_TYPES.app },
  ];
  if (Object.keys(settings.properties).length > 0)
    parts.push({
      path: 'docProps/custom.xml',
      content: customXml(settings.properties),
      type: PART_TYPES.custom,
    });
  return parts;
}

/** Writes `word/footnotes.xml`: two separators required by Word, then the notes in numerical order. */
function footnotesXml(notes: readonly Note[], context: WriteContext): { xml: string; rels: Relationships } {
  const rels = new Relationships();
  const writer = new BlockWriter(context, rels, false);
  const separator = (id: number, type: string, element: string): string =>
    `<w:footnote w:type="${type}" w:id="${id}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:r><w:${element}/></w:r></w:p></w:footnote>`;
  const bodies = notes.map(
    (note) => `<w:footnote w:id="${note.number + 1}">${noteBody(note, writer, context)}</w:footnote>`,
  );
  const xml =
    `${XML_HEAD}<w:footnotes ${NAMESPACES}>${separator(0, 'separator', 'separator')}` +
    `${separator(1, 'continuationSeparator', 'continuationSeparator')}${bodies.join('')}</w:footnotes>`;
  return { xml, rels };
}

function noteBody(note: Note, writer: BlockWriter, context: WriteContext): string {
  const mark = `<w:r><w:rPr><w:rStyle w:val="${context.styles.id('footnote reference')}"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>`;
  const place = { style: 'footnote text', indent: null, depth: 0, numbered: 0 };
  const [first, ...rest] = note.blocks;
  if (first?.type !== 'paragraph')
    return writer.paragraph('footnote text', mark, {}) + writer.blocks(note.blocks, place);
  return (
    writer.paragraph('footnote text', mark + writer.inlines.write(first.content), {}) +
    writer.blocks(rest, place)
  );
}
