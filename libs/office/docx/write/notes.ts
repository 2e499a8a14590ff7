import type { Note } from '#contracts/structure.js';
import { BlockWriter } from './blocks.js';
import type { WriteContext } from './context.js';
import { Relationships } from './relationships.js';
import { NAMESPACES, XML_HEAD } from './xml.js';

/** Writes `word/footnotes.xml`: two separators required by Word, then the notes in numerical order. */
export function footnotesXml(
  notes: readonly Note[],
  context: WriteContext,
): { xml: string; rels: Relationships } {
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
