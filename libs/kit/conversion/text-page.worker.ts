import { XhtmlWriter } from '#office/epub/xhtml.js';
import { buildStructure } from '#office/structure/build.js';

/** Runs in a thread: renders Markdown as the structure that the Word file shows, without pictures. @returns HTML */
export default function render(markdown: string): string {
  const { blocks, notes } = buildStructure(markdown);
  const known = new Map(notes.map((note) => [note.id, note]));
  const writer = new XhtmlWriter((anchor) => `#${anchor}`, new Set(known.keys()), new Map(), '');
  return writer.blocks(blocks) + writer.endnotes(known);
}
