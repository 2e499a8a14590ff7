import { createHash } from 'node:crypto';
import type { Structure } from '#contracts/structure.js';
import type { EpubImage } from './images.js';
import { xml } from './xhtml.js';

export interface EpubOptions {
  title: string;
  subtitle?: string;
  author?: string;
  /** BCP 47 language tag. */
  language?: string;
}

/** Fixed modification date, so that equal books produce equal bytes. */
const MODIFIED = '2000-01-01T00:00:00Z';

export const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

/** Writes the package document: the book's metadata, files and reading order. */
export function packageXml(
  structure: Structure,
  chapterFiles: string[],
  images: EpubImage[],
  options: Required<Pick<EpubOptions, 'title' | 'language'>> & EpubOptions,
): string {
  const { title, subtitle, author, language } = options;
  const chapters = chapterFiles.map((href, n) => ({ id: `c${n + 1}`, href }));
  const items = chapters.map(
    ({ id, href }) => `<item id="${id}" href="${href}" media-type="application/xhtml+xml"/>`,
  );
  const pictures = images.map(
    ({ path, mediaType }, n) => `<item id="i${n + 1}" href="${path}" media-type="${mediaType}"/>`,
  );
  const creator = author ? `<dc:creator>${xml(author)}</dc:creator>\n` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${xml(language)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${identifierOf(structure, options)}</dc:identifier>
<dc:title>${xml(subtitle ? `${title}: ${subtitle}` : title)}</dc:title>
<dc:language>${xml(language)}</dc:language>
${creator}<meta property="dcterms:modified">${MODIFIED}</meta>
${accessibility(images.length > 0)}
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="cover-image" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>
<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${[...items, ...pictures].join('\n')}
</manifest>
<spine>
<itemref idref="cover"/>
<itemref idref="title"/>
<itemref idref="nav"/>
${chapters.map(({ id }) => `<itemref idref="${id}"/>`).join('\n')}
</spine>
</package>
`;
}

function accessibility(hasImages: boolean): string {
  const facts = [
    ['accessMode', 'textual'],
    ...(hasImages ? [['accessMode', 'visual']] : []),
    ['accessModeSufficient', 'textual'],
    ['accessibilityFeature', 'tableOfContents'],
    ['accessibilityFeature', 'readingOrder'],
    ['accessibilityFeature', 'structuralNavigation'],
    ...(hasImages ? [['accessibilityFeature', 'alternativeText']] : []),
    ['accessibilityHazard', 'none'],
    ['accessibilitySummary', 'Text with headings, navigation, linked notes and words for each picture.'],
  ];
  return facts.map(([name, value]) => `<meta property="schema:${name}">${value}</meta>`).join('\n');
}

/** Returns an identifier derived from the content: equal books have equal identifiers. */
function identifierOf(
  { blocks, notes }: Structure,
  { title, subtitle, author, language }: EpubOptions,
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([title, subtitle, author, language, blocks, notes]))
    .digest('hex');
  const variant = ((parseInt(hash[16] as string, 16) & 3) | 8).toString(16);
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
