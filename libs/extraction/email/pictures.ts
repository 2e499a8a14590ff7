import { percentDecoded } from '#contracts/lenient.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { isImageName } from '#contracts/file-kinds.js';
import type { MimePart } from './mime-tree.js';

const CONTENT_ID = /\bcid:([^\s"'<>)]{1,1000})/gi;
const SOURCE = /\bsrc\s{0,9}=\s{0,9}(["'])([^"'<>]{1,2000})\1/gi;

/** Pictures among the parts of a message, which its pages show by `cid:…` or by their addresses. */
export class MessagePictures {
  private readonly byId = new Map<string, MimePart>();
  private readonly byPlace = new Map<string, MimePart>();

  constructor(parts: readonly MimePart[]) {
    for (const part of parts) {
      if (!part.type.startsWith('image/') && !isImageName(part.fileName)) continue;
      if (part.contentId !== '') this.byId.set(part.contentId, part);
      if (part.location !== '') this.byPlace.set(part.location, part);
    }
  }

  /** Replaces references of a page with the names of the pictures, which are added to `images`. */
  place(page: string, images: EmbeddedImages): string {
    const names = new Map<MimePart, string>();
    return this.replace(page, (part) => {
      const name = names.get(part) ?? encodeURI(images.add(part.bytes, endingOf(part)));
      names.set(part, name);
      return name.replaceAll('&', '&amp;');
    });
  }

  /** Returns the pictures that pages show. */
  placed(pages: readonly string[]): Set<MimePart> {
    const placed = new Set<MimePart>();
    for (const page of pages)
      this.replace(page, (part) => {
        placed.add(part);
        return '';
      });
    return placed;
  }

  private replace(page: string, nameOf: (part: MimePart) => string): string {
    const replaced = page.replace(CONTENT_ID, (reference, id: string) => {
      const part = this.byId.get(id) ?? this.byId.get(percentDecoded(id));
      return part === undefined ? reference : nameOf(part);
    });
    if (this.byPlace.size === 0) return replaced;
    return replaced.replace(SOURCE, (whole, quote: string, place: string) => {
      const part = this.byPlace.get(place);
      return part === undefined ? whole : `src=${quote}${nameOf(part)}${quote}`;
    });
  }
}

const endingOf = ({ type, fileName }: MimePart): string =>
  /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1] ??
  type
    .slice('image/'.length)
    .replace(/^jpeg$/, 'jpg')
    .replace(/\+xml$/, '');
