import { readXml } from '#extraction/xml.js';

/** Reads core properties by their short names, and custom ones by name. @param coreXml null if the file has none, as `customXml` */
export function readProperties(coreXml: string | null, customXml: string | null): Record<string, string> {
  return Object.fromEntries([
    ...entriesOf(coreXml, (tag) => (tag === 'cp:coreProperties' ? null : tag.replace(/^[a-z]+:/, ''))),
    ...entriesOf(customXml, (tag, attribute) => (tag === 'property' ? (attribute ?? '') : null)),
  ]);
}

/** @param nameOf name of the property that an element has; null if it has none */
function entriesOf(
  xml: string | null,
  nameOf: (tag: string, attribute: string | undefined) => string | null,
): [string, string][] {
  const entries: [string, string][] = [];
  if (xml === null) return entries;
  let name = '';
  let value = '';
  readXml(xml, {
    open: (tag, attributes) => {
      const found = nameOf(tag, attributes['name']);
      if (found !== null) name = found;
      value = '';
    },
    text: (text) => {
      value += text;
    },
    close: () => {
      if (name !== '') entries.push([name, value]);
      name = '';
    },
  });
  return entries;
}
