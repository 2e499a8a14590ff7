import type { EmbeddedImages } from '../embedded-images.js';
import { isImageName } from '../file-kinds.js';
import type { MimePart } from './mime-tree.js';

const CONTENT_ID = /\bcid:([^\s"'<>)]{1,1000})/gi;

/** Replaces references of a page to the pictures of other parts (`cid:…` or their addresses) with their names. */
export function withPictures(page: string, parts: readonly MimePart[], images: EmbeddedImages): string {
  const names = new Map<MimePart, string>();
  const nameOf = (part: MimePart): string => {
    const name = names.get(part) ?? encodeURI(images.add(part.bytes, endingOf(part)));
    names.set(part, name);
    return name;
  };
  return replaceReferences(page, parts, (part) => nameOf(part).replaceAll('&', '&amp;'));
}

/** Returns the pictures among `parts` that a page shows. */
export function placedPictures(pages: readonly string[], parts: readonly MimePart[]): Set<MimePart> {
  const placed = new Set<MimePart>();
  for (const page of pages)
    replaceReferences(page, parts, (part) => {
      placed.add(part);
      return '';
    });
  return placed;
}

function replaceReferences(
  page: string,
  parts: readonly MimePart[],
  replace: (part: MimePart) => string,
): string {
  const pictures = parts.filter(({ type, fileName }) => type.startsWith('image/') || isImageName(fileName));
  const byId = new Map(pictures.map((part) => [part.contentId, part]));
  const byPlace = new Map(pictures.map((part) => [part.location, part]));
  const find = (map: Map<string, MimePart>, key: string) => (key === '' ? undefined : map.get(key));
  const placed = page.replace(CONTENT_ID, (reference, id: string) => {
    const part = find(byId, id) ?? find(byId, decoded(id));
    return part === undefined ? reference : replace(part);
  });
  if (![...byPlace.keys()].some((place) => place !== '')) return placed;
  return placed.replace(
    /\bsrc\s{0,9}=\s{0,9}(["'])([^"'<>]{1,2000})\1/gi,
    (whole, quote: string, place: string) => {
      const part = find(byPlace, place);
      return part === undefined ? whole : `src=${quote}${replace(part)}${quote}`;
    },
  );
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

const endingOf = ({ type, fileName }: MimePart): string =>
  /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1] ??
  type
    .slice('image/'.length)
    .replace(/^jpeg$/, 'jpg')
    .replace(/\+xml$/, '');
