import { footerXml, headerXml } from './front.js';
import type { Settings } from './options.js';
import { PART_TYPES, type Part } from './package.js';
import type { Reference } from './reference.js';
import type { Relationships } from './relationships.js';
import type { StyleSheet } from './style-sheet.js';
import { NAMESPACES, XML_HEAD } from './xml.js';

/** The document's section (`w:sectPr`) and the parts that it references. */
interface Section {
  xml: string;
  parts: Part[];
}

/**
 * Writes page size, margins, a header with the title and a footer with page numbers; a cover has neither
 * header nor footer.
 */
export function ownSection(settings: Settings, styles: StyleSheet, rels: Relationships): Section {
  const { width, height, margin, header } = settings.page;
  const xml =
    `<w:sectPr><w:headerReference w:type="default" r:id="${rels.add('header', 'header1.xml')}"/>` +
    `<w:footerReference w:type="default" r:id="${rels.add('footer', 'footer1.xml')}"/>` +
    `<w:pgSz w:w="${width}" w:h="${height}"/>` +
    `<w:pgMar w:top="${margin}" w:right="${margin}" w:bottom="${margin}" w:left="${margin}" w:header="${header}" w:footer="${header}" w:gutter="0"/>` +
    `${settings.cover ? '<w:titlePg/>' : ''}</w:sectPr>`;
  const part = (path: string, element: string, content: string, type: string): Part => ({
    path,
    content: `${XML_HEAD}<w:${element} ${NAMESPACES}>${content}</w:${element}>`,
    type,
  });
  return {
    xml,
    parts: [
      part('word/header1.xml', 'hdr', headerXml(settings, styles.id('header')), PART_TYPES.header),
      part('word/footer1.xml', 'ftr', footerXml(styles.id('footer')), PART_TYPES.footer),
    ],
  };
}

/** Writes the reference document's section: its page size, headers and footers. */
export function referenceSection(reference: Reference, settings: Settings, rels: Relationships): Section {
  const ids = new Map(reference.related.map(({ key, kind, target }) => [key, rels.add(kind, target)]));
  const { headers, page, titlePage } = reference.section;
  const references = headers
    .filter(({ key }) => ids.has(key))
    .map(({ element, type, key }) => `<${element} w:type="${type}" r:id="${ids.get(key) ?? ''}"/>`);
  const title = titlePage || settings.cover ? '<w:titlePg/>' : '';
  return { xml: `<w:sectPr>${references.join('')}${page}${title}</w:sectPr>`, parts: reference.parts };
}
