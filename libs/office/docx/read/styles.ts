import { readXml } from '#extraction/xml.js';

export interface ReadStyles {
  name(id: string): string;
  /** Returns the level of a heading style by its name; null for other styles. */
  headingLevel(id: string): number | null;
}

/** Reads the names of the styles. @param xml null if the file has none */
export function readStyles(xml: string | null): ReadStyles {
  const names = new Map<string, string>();
  let current = '';
  if (xml !== null)
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'w:style') current = attributes['w:styleId'] ?? '';
        else if (name === 'w:name' && current !== '') names.set(current, attributes['w:val'] ?? current);
      },
      close: (name) => {
        if (name === 'w:style') current = '';
      },
    });
  const name = (id: string): string => names.get(id) ?? id;
  return {
    name,
    headingLevel: (id) => {
      const level = Number(/^heading ([1-6])$/i.exec(name(id))?.[1] ?? 0);
      return level > 0 ? level : null;
    },
  };
}
