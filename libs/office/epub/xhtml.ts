import type {
  Block,
  ImageInline,
  Inline,
  ListItem,
  Note,
  TableBlock,
  Structure,
} from '#contracts/structure.js';
import { prepareAssets, type AssetResolver } from '../docx/write/assets.js';

const TAGS: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  strike: 's',
  code: 'code',
  underline: 'u',
  subscript: 'sub',
  superscript: 'sup',
  highlight: 'mark',
};

/** Characters that XML 1.0 does not allow; they are dropped. */
const CONTROL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes text for XML content or attributes. */
export function xml(text: string): string {
  return text
    .replace(CONTROL, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** Writes the blocks of one chapter; collects notes in the order of their references. */
export class XhtmlWriter {
  /** IDs of the referenced notes, in order. */
  readonly notes: string[] = [];
  private readonly marked = new Set<string>();

  /**
   * @param hrefOf returns the address of an anchor in the book, or null
   * @param known IDs of the existing notes
   * @param images images by reference
   * @param number number of the chapter with a blank, before its heading
   */
  constructor(
    private readonly hrefOf: (anchor: string) => string | null,
    private readonly known: ReadonlySet<string>,
    private readonly images: ReadonlyMap<string, EpubImage>,
    private readonly number: string,
  ) {}

  blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.block(block)).join('\n');
  }

  /** Writes the chapter's notes, each with a link back to its reference. */
  endnotes(notes: ReadonlyMap<string, Note>): string {
    if (this.notes.length === 0) return '';
    const items: string[] = [];
    // A note may reference another one, which is then added.
    for (let i = 0; i < this.notes.length; i++) {
      const id = this.notes[i] as string;
      const blocks = notes.get(id)?.blocks ?? [];
      const back = `<p><a href="#ref-${i + 1}" role="doc-backlink">↩ ${i + 1}</a></p>`;
      items.push(`<li id="note-${i + 1}">${this.blocks(blocks)}${back}</li>`);
    }
    return `<section role="doc-endnotes" aria-label="Notes"><ol>\n${items.join('\n')}\n</ol></section>`;
  }

  private block(block: Block): string {
    switch (block.type) {
      case 'heading': {
        const level = Math.min(6, block.level);
        const number = level === 1 ? this.number : '';
        return `<h${level} id="${xml(block.id)}">${number}${this.inlines(block.content)}</h${level}>`;
      }
      case 'paragraph':
        return `<p>${this.inlines(block.content)}</p>`;
      case 'code':
        return `<pre><code>${xml(block.text)}</code></pre>`;
      case 'list': {
        const items = block.items.map((item) => this.item(item)).join('\n');
        const start =
          block.ordered && block.start !== null && block.start !== 1 ? ` start="${block.start}"` : '';
        return block.ordered ? `<ol${start}>${items}</ol>` : `<ul>${items}</ul>`;
      }
      case 'quote':
        return `<blockquote>${this.blocks(block.blocks)}</blockquote>`;
      case 'callout':
        return `<div role="note">${this.blocks(block.blocks)}</div>`;
      case 'table':
        return this.table(block);
      case 'figure':
        return `<figure id="${xml(block.id)}">${this.image(block.image)}<figcaption>${xml(block.caption)}</figcaption></figure>`;
      case 'math':
        return `<p><code>${xml(block.tex)}</code></p>`;
      case 'rule':
        return '<hr/>';
    }
  }

  private item({ checked, blocks }: ListItem): string {
    const box = checked === null ? '' : checked ? '☑ ' : '☐ ';
    const [only] = blocks;
    const body =
      blocks.length === 1 && only?.type === 'paragraph' ? this.inlines(only.content) : this.blocks(blocks);
    return `<li>${box}${body}</li>`;
  }

  private table({ rows, caption, id }: TableBlock): string {
    const cells = (header: boolean, row: Inline[][]) =>
      row
        .map((cell) => {
          const isHead = header && cell.length > 0;
          return `<${isHead ? 'th scope="col"' : 'td'}>${this.inlines(cell)}</${isHead ? 'th' : 'td'}>`;
        })
        .join('');
    const body = rows.map(({ header, cells: row }) => `<tr>${cells(header, row)}</tr>`).join('\n');
    const title = caption ? `<caption>${this.inlines(caption)}</caption>` : '';
    return `<table${id === null ? '' : ` id="${xml(id)}"`}>${title}<tbody>${body}</tbody></table>`;
  }

  private inlines(content: readonly Inline[], inLink = false): string {
    return content.map((inline) => this.inline(inline, inLink)).join('');
  }

  private inline(inline: Inline, inLink: boolean): string {
    switch (inline.type) {
      case 'text':
        return (inline.marks ?? []).reduceRight(
          (text, mark) => `<${TAGS[mark]}>${text}</${TAGS[mark]}>`,
          xml(inline.value),
        );
      case 'break':
        return '<br/>';
      case 'link':
        return this.link(inline.url, inline.anchor, inline.content, inLink);
      case 'image':
        return this.image(inline);
      case 'note_ref':
        return inLink ? '' : this.noteMark(inline.id);
      case 'math':
        return `<code>${xml(inline.tex)}</code>`;
      case 'anchor':
        return `<span id="${xml(inline.id)}"></span>`;
    }
  }

  /** Writes an image, or its alternative text if the file is missing. */
  private image({ ref, alt }: ImageInline): string {
    const image = this.images.get(ref);
    if (!image) return `[${xml(alt || ref)}]`;
    const { path, width, height } = image;
    return `<img src="${path}" alt="${xml(alt)}" width="${width}" height="${height}"/>`;
  }

  private link(url: string, anchor: string | null, content: readonly Inline[], inLink: boolean): string {
    const words = this.inlines(content, true);
    const href = anchor === null ? outside(url) : this.hrefOf(anchor);
    return href === null || inLink ? words : `<a href="${xml(href)}">${words}</a>`;
  }

  private noteMark(id: string): string {
    if (!this.known.has(id)) return '';
    if (!this.notes.includes(id)) this.notes.push(id);
    const number = this.notes.indexOf(id) + 1;
    const first = this.marked.has(id) ? '' : ` id="ref-${number}"`;
    this.marked.add(id);
    return `<a href="#note-${number}"${first} role="doc-noteref"><sup>${number}</sup></a>`;
  }
}

/**
 * Returns the address of a link that a reading system may follow; null for other links, shown as plain text.
 */
function outside(url: string): string | null {
  if (!/^(?:https?|mailto):/i.test(url)) return null;
  try {
    return new URL(url).href;
  } catch {
    return null;
  }
}

/** Image of the book, stored in a separate file. */
export interface EpubImage {
  /** Path below the folder of the chapters. */
  path: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Width in CSS pixels. */
  width: number;
  height: number;
}

/**
 * Prepares the images of a book, by reference, in formats that every reading system supports. SVG drawings
 * are rasterized, since they may contain scripts. A missing or broken image is omitted; its alternative text
 * is shown instead.
 */
export async function epubImages(
  structure: Structure,
  resolve: AssetResolver,
): Promise<Map<string, EpubImage>> {
  const refs = [...new Set(structure.assets.map(({ ref }) => ref))];
  const prepared = await prepareAssets(refs, resolve);
  const images = new Map<string, EpubImage>();
  for (const ref of refs) {
    const asset = prepared.get(ref);
    if (asset === undefined || 'missing' in asset) continue;
    const { bytes, extension, width, height } = asset;
    const path = `images/image-${String(images.size + 1).padStart(3, '0')}.${extension}`;
    images.set(ref, { path, mediaType: `image/${extension}`, bytes, width, height });
  }
  return images;
}
