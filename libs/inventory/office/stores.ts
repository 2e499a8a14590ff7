import { posix } from 'node:path';
import { type Attributes, walkXml } from '../xml.js';
import type { OfficePackage } from './package.js';

/** Stores of the properties of a file, by the end of the path of their part. */
const PROPERTIES: [RegExp, string][] = [
  [/\bcore\.xml$/, '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}'],
  [/\bapp\.xml$/, '{6668398D-A668-4E3E-A5EB-62B293D839F1}'],
];

/** Elements in more others have no path. */
const DEEPEST = 50;

/** Values to which the content controls of a Word file are bound. */
export class Stores {
  /** Texts of the elements of each store, by its ID in capitals and by their path without prefixes. */
  private readonly values = new Map<string, Map<string, string>>();

  constructor(parts: OfficePackage) {
    for (const { path, root } of parts.shownParts()) {
      const property = PROPERTIES.find(([pattern]) => pattern.test(path))?.[1];
      if (property !== undefined) this.values.set(property, textsOf(parts.text(path)));
      if (root !== 'datastoreItem') continue;
      walkXml(parts.text(path), {
        open: (_, { itemID }) => {
          if (itemID === undefined) return;
          const item = posix.join(posix.dirname(path), posix.basename(path).replace('Props', ''));
          this.values.set(itemID.toUpperCase(), textsOf(parts.text(item)));
        },
        close: () => undefined,
      });
    }
  }

  /** Returns the value of a `dataBinding`; null if it names none. */
  valueOf({ storeItemID = '', xpath = '' }: Attributes): string | null {
    const path = xpath
      .split('/')
      .map((step) => (step === '' || step.endsWith(']') ? step : `${step}[1]`).replace(/^.*:/, ''))
      .join('/');
    const value = this.values.get(storeItemID.toUpperCase())?.get(path) ?? '';
    return value.trim() === '' ? null : value;
  }
}

/** Returns the text of each element by its path, such as `/lease[1]/fee[2]`. */
function textsOf(xml: string): Map<string, string> {
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  const open: string[] = [];
  walkXml(xml, {
    open: (name) => {
      const path = `${open.at(-1) ?? ''}/${name}`;
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      open.push(open.length < DEEPEST ? `${path}[${count}]` : '');
    },
    text: (text) => {
      for (const path of open) texts.set(path, (texts.get(path) ?? '') + text);
    },
    close: () => void open.pop(),
  });
  return texts;
}
