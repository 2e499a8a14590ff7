import type { Reference } from '#contracts/bibliography.js';
import { unpack } from '../archive.js';
import { xmlOf } from '../xml.js';
import { dublinCoreReference } from './dublin-core.js';

/** Reads the properties of an Office or OpenDocument file. Their dates say when it was saved, not published. */
export function officeReference(bytes: Uint8Array, fileName: string): Reference {
  const parts = unpack(bytes, (name) => name === 'docProps/core.xml' || name === 'meta.xml', fileName);
  const [properties] = parts.values();
  if (!properties) return {};
  const { issued: _, ...reference } = dublinCoreReference(xmlOf(properties));
  return reference;
}
