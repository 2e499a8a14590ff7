import type { OfficePackage } from '../ooxml/package.js';
import { type Attributes, readXml } from '../xml.js';

/** Parts of a package with the values to which content controls are bound. */
export const STORE_PARTS = /^(?:customXml|docProps)\/.*\.(?:xml|rels)$/i;

/** IDs of the stores that every file has, by the type of the relationship to their part. */
const PROPERTY_STORES: Record<string, string> = {
  'core-properties': '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}',
  'extended-properties': '{6668398D-A668-4E3E-A5EB-62B293D839F1}',
};
const STEP = /^(?:[\w.-]{1,200}:)?([\w.-]{1,200})(?:\[(\d{1,6})\])?$/;

/** The stores of a Word file to which its content controls are bound. Word shows their values, not the copies in the text. */
export class BoundValues {
  /** XML of each store by its ID, in capitals. */
  private readonly stores = new Map<string, string>();

  constructor(parts: OfficePackage) {
    for (const { type, target } of parts.relationshipsOf('').values())
      this.add(PROPERTY_STORES[type], parts.text(target));
    for (const { type, target } of parts.relationships.values()) {
      if (type !== 'customXml') continue;
      for (const properties of parts.relationshipsOf(target).values())
        this.add(storeId(parts.text(properties.target)), parts.text(target));
    }
  }

  private add(id: string | undefined, xml: string | null): void {
    if (id !== undefined && xml !== null) this.stores.set(id.toUpperCase(), xml);
  }

  /** Returns the value that a `w:dataBinding` names; null if there is none, or its path is not a plain one. */
  valueOf(binding: Attributes): string | null {
    const xml = this.stores.get((binding['w:storeItemID'] ?? '').toUpperCase());
    const steps = (binding['w:xpath'] ?? '')
      .split('/')
      .slice(1)
      .map((step) => STEP.exec(step));
    if (xml === undefined || steps.length === 0 || steps.includes(null)) return null;
    const path = steps.map((step) => ({ name: step![1]!, index: Number(step![2] ?? 1) }));
    const value = unlessDamaged(() => textAt(xml, path)) ?? '';
    return value.trim() === '' ? null : value;
  }
}

/** A store that is not well-formed has no values, as in Word: the text of the document counts. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function storeId(xml: string | null): string | undefined {
  let id: string | undefined;
  unlessDamaged(() =>
    readXml(xml ?? '<none/>', {
      open: (_, attributes) => void (id ??= attributes['ds:itemID']),
      close: () => undefined,
    }),
  );
  return id;
}

/** Returns the text of the element that the steps lead to. Prefixes are not compared. */
function textAt(xml: string, steps: readonly { name: string; index: number }[]): string {
  let text = '';
  let depth = 0;
  /** Number of steps that lead to an open element. */
  let matched = 0;
  const counts = steps.map(() => 0);
  readXml(xml, {
    open: (name) => {
      const step = matched === depth ? steps[matched] : undefined;
      depth++;
      if (step?.name !== name.slice(name.indexOf(':') + 1)) return;
      if (++counts[matched]! === step.index) counts[++matched] = 0;
    },
    text: (words) => void (matched === steps.length && (text += words)),
    close: () => {
      depth--;
      matched = Math.min(matched, depth);
    },
  });
  return text;
}
