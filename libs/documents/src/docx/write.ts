import type { Structure } from '../structure/schema.js';
import { prepareAssets, type AssetResolver } from './assets.js';
import { BlockWriter } from './blocks.js';
import { WriteContext } from './context.js';
import { appendixHeading, coverXml, footerXml, headerXml, pageBreak, tocEntries, tocXml } from './front.js';
import { labelsFor } from './labels.js';
import { footnotesXml } from './notes.js';
import { Numbering } from './numbering.js';
import { settingsOf, type DocxOptions, type Settings } from './options.js';
import { contentTypes, packageRels, packDocument, PART_TYPES, type Part } from './package.js';
import { pageNumbers } from './pages.js';
import { appXml, coreXml, customXml, settingsXml } from './properties.js';
import { Relationships } from './relationships.js';
import { ownStyleSheet, type StyleSheet } from './style-sheet.js';
import { NAMESPACES, XML_HEAD } from './xml.js';

export type { AssetResolver } from './assets.js';
export type { DocxOptions } from './options.js';

/**
 * Writes a document as DOCX (D24): equal input gives equal bytes.
 *
 * @param structure `structure.json`
 * @param resolveAsset reads an image by its reference as the markdown has it; null leaves a visible text in its place
 * @returns the bytes of the file
 */
export async function writeDocx(
  structure: Structure,
  resolveAsset: AssetResolver,
  options: DocxOptions = {},
): Promise<Uint8Array> {
  const settings = settingsOf(structure, options);
  const refs = structure.assets.map((asset) => asset.ref);
  const assets = await prepareAssets(refs, resolveAsset);
  const styles = ownStyleSheet(settings.language);
  const numbering = new Numbering(settings.numberSections);
  const context = new WriteContext(
    structure,
    styles,
    numbering,
    labelsFor(settings.language),
    settings.page,
    settings.numberSections,
    assets,
  );
  return packDocument(documentParts(structure, settings, options, context, styles));
}

function documentParts(
  structure: Structure,
  settings: Settings,
  options: DocxOptions,
  context: WriteContext,
  styles: StyleSheet,
): Part[] {
  const rels = new Relationships();
  rels.add('styles', 'styles.xml');
  rels.add('numbering', 'numbering.xml');
  rels.add('settings', 'settings.xml');
  const writer = new BlockWriter(context, rels, true);
  const place = { style: 'Normal', indent: null, depth: 0 };
  const cover = settings.cover ? coverXml(settings, writer) : '';
  let body = writer.blocks(structure.blocks, place);
  if (options.appendix) {
    const heading = appendixHeading(options.appendix.title);
    body += pageBreak + writer.blocks([heading, ...options.appendix.blocks], place);
  }
  const notes = footnotesXml(structure.notes, context);
  if (structure.notes.length > 0) rels.add('footnotes', 'footnotes.xml');
  const section = sectionXml(settings, rels);
  const shared: Part[] = [
    { path: 'word/styles.xml', content: styles.xml, type: PART_TYPES.styles },
    {
      path: 'word/numbering.xml',
      content: context.numbering.xml((level) => styles.id(`heading ${level}`)),
      type: PART_TYPES.numbering,
    },
    { path: 'word/settings.xml', content: settingsXml(NAMESPACES, structure.notes.length > 0), type: PART_TYPES.settings },
    {
      path: 'word/header1.xml',
      content: `${XML_HEAD}<w:hdr ${NAMESPACES}>${headerXml(settings, styles.id('header'))}</w:hdr>`,
      type: PART_TYPES.header,
    },
    {
      path: 'word/footer1.xml',
      content: `${XML_HEAD}<w:ftr ${NAMESPACES}>${footerXml(styles.id('footer'))}</w:ftr>`,
      type: PART_TYPES.footer,
    },
  ];
  if (structure.notes.length > 0) {
    shared.push({ path: 'word/footnotes.xml', content: notes.xml, type: PART_TYPES.footnotes });
    if (!notes.rels.empty) shared.push({ path: 'word/_rels/footnotes.xml.rels', content: notes.rels.xml() });
  }
  const documentXml = (pages: ReadonlyMap<string, string>): string => {
    const toc = settings.toc ? tocXml(tocEntries(structure, settings.numberSections), pages, writer) : '';
    return `${XML_HEAD}<w:document ${NAMESPACES}><w:body>${cover}${toc}${body}${section}</w:body></w:document>`;
  };
  const relsPart: Part = { path: 'word/_rels/document.xml.rels', content: rels.xml() };
  const pages = settings.toc
    ? layOut([...shared, relsPart], documentXml(new Map()))
    : new Map<string, string>();
  return [
    { path: '_rels/.rels', content: packageRels(Object.keys(settings.properties).length > 0) },
    { path: 'word/document.xml', content: documentXml(pages), type: PART_TYPES.document },
    relsPart,
    ...shared,
    ...propertyParts(settings),
    ...context.media.map((file) => ({ path: `word/media/${file.name}`, content: file.bytes })),
  ];
}

function layOut(parts: readonly Part[], documentXml: string): ReadonlyMap<string, string> {
  const document: Part = { path: 'word/document.xml', content: documentXml, type: PART_TYPES.document };
  const all = [document, { path: '_rels/.rels', content: packageRels(false) }, ...parts];
  const xml = new Map<string, string>([['[Content_Types].xml', contentTypes(all)]]);
  for (const part of all) if (typeof part.content === 'string') xml.set(part.path, part.content);
  return pageNumbers(xml);
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

/** Page, margins, header and footer; a cover has neither of the last two. */
function sectionXml(settings: Settings, rels: Relationships): string {
  const { width, height, margin, header } = settings.page;
  return (
    `<w:sectPr><w:headerReference w:type="default" r:id="${rels.add('header', 'header1.xml')}"/>` +
    `<w:footerReference w:type="default" r:id="${rels.add('footer', 'footer1.xml')}"/>` +
    `<w:pgSz w:w="${width}" w:h="${height}"/>` +
    `<w:pgMar w:top="${margin}" w:right="${margin}" w:bottom="${margin}" w:left="${margin}" w:header="${header}" w:footer="${header}" w:gutter="0"/>` +
    `${settings.cover ? '<w:titlePg/>' : ''}</w:sectPr>`
  );
}
