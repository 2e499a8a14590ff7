import { walkXml } from './sax.js';

/** Reads core properties by their short names, and custom ones by name. */
export function readProperties(coreXml: string, customXml: string): Record<string, string> {
  const entries: [string, string][] = [];
  let name = '';
  let value = '';
  const handlers = (nameOf: (tag: string, attribute: string | undefined) => string | null) => ({
    open: (tag: { name: string; attributes: Record<string, string> }) => {
      const found = nameOf(tag.name, tag.attributes.name);
      if (found !== null) name = found;
      value = '';
    },
    text: (text: string) => {
      value += text;
    },
    close: () => {
      if (name !== '') entries.push([name, value]);
      name = '';
    },
  });
  walkXml(
    coreXml,
    handlers((tag) => (tag === 'cp:coreProperties' ? null : tag.replace(/^[a-z]+:/, ''))),
  );
  walkXml(
    customXml,
    handlers((tag, attribute) => (tag === 'property' ? (attribute ?? '') : null)),
  );
  return Object.fromEntries(entries);
}
