import type { Reference } from '#contracts/bibliography.js';
import { unpack } from '../archive.js';
import { xmlOf } from '../xml.js';
import { dublinCoreReference } from './dublin-core.js';

/** Reads the metadata of an EPUB's package file. */
export function epubReference(bytes: Uint8Array, fileName: string): Reference {
  const packages = unpack(bytes, (name) => name.endsWith('.opf'), fileName);
  const [opf] = packages.values();
  return opf ? { type: 'book', ...dublinCoreReference(xmlOf(opf)) } : {};
}
